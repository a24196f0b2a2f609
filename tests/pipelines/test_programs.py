"""Programs in episodes: the reply is recorded, and a replay runs the program again."""

from __future__ import annotations

from typing import Any

import pytest
from standin import Say, Standin

from gwray.studies.orak import programs
from gwray.verification.verify import verify_run
from pipelines.conftest import play
from pipelines.test_modular import conf, job, text_of

SKILL = """async function mineDirt(bot) {
  await mineBlock(bot, "dirt", 1); // a comment
}"""
ENDLESS = SKILL.replace("  await", "  bot.chat('now');\n  await").replace("// a comment", "\n  for (;;);")
ACTIONS = "### Reasoning\nDirt is near.\n### Actions\n```javascript\n{}\n```"


@pytest.mark.slow
async def test_programs_feed_back_become_skills_and_are_run_again_by_verify(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(programs, "FUEL", 20_000_000)
    prompts: list[str] = []

    def coder(wire: str, body: dict[str, Any], session: str) -> Say:
        text = f"{body['messages'][0]['content']}\n{text_of(body)}"
        if "exactly one block of code" in text:
            prompts.append(text)
            return Say(text=ACTIONS.format(ENDLESS if len(prompts) == 1 else SKILL))
        if "You keep skills" in text:
            assert "the complete async function" in text
            skill = SKILL.replace('"', '\\"').replace("\n", "\\n")
            return Say(text=f'{{"skills": [{{"name": "mine dirt", "how": "{skill}"}}]}}')
        return Say(text="### Success\nyes\n### Subtask\nMine dirt.\n### Knowledge\nDirt is everywhere.")

    with Standin() as standin:
        standin.answer = coder
        settings = {"observation": {"views": [], "text": True}, "game": "parlor:p12_bare-hands", "task": "p12_01"}
        spec = job(standin, conf("orak_skills"), **settings, limit={"steps": 3})
        spec["model"] |= {"semantic_format": "sections"}
        ended = await play(tmp_path, spec)
    (record,) = ended.run.results()
    rows = ended.run.read_steps(record.key)
    assert [(r.control, r.ok) for r in rows] == [("code", False), ("code", True), ("code", True)]
    assert "is there an endless loop? Chat log: now | mined 1 dirt." in rows[0].feedback
    assert f"```javascript\n{ENDLESS}\n```" in prompts[1] and rows[0].feedback in prompts[1]
    assert SKILL in prompts[2], "the skill comes back as it was"
    assert [f.verdict for f in await verify_run(ended.run)] == ["identical"]
    monkeypatch.setattr(programs, "MAX_CALLS", 0)
    assert [f.verdict for f in await verify_run(ended.run)] == ["different"]


async def test_scripted_player_gives_a_program_of_many_lines(tmp_path):
    seen = {"views": [], "text": True}
    model = {"name": "scripted", "provider": "scripted"}
    ended = await play(
        tmp_path, {"model": model, "observation": seen, "game": "parlor:p12_bare-hands", "task": "p12_02"}
    )
    (record,) = ended.run.results()
    assert (record.success, record.steps) == (True, 1)
