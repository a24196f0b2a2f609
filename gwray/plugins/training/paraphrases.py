"""Paraphrases system prompts with a model. Every reply is logged in the dataset's folder, so that a second pass asks
nothing and gives the same texts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from gwray.agents import ClientPool, Prompt, Text, build_request
from gwray.errors import UsageError
from gwray.settings import ModelSpec

LOG = "paraphrases.jsonl"
INSTRUCTION = (
    "You rewrite instructions. Keep every fact, number, name, control, format and example exactly as it is; change "
    "only the wording around them. Answer with the rewritten instructions and nothing else."
)


async def paraphrase(systems: Iterable[str], count: int, model: ModelSpec, folder: Path) -> dict[str, list[str]]:
    """Returns `count` paraphrases of each system prompt.

    Args:
        systems: system prompts; each distinct one is paraphrased once.
        count: paraphrases per prompt.
        model: the profile that writes them; asked only for what the log in `folder` lacks.
        folder: where the log is.

    Raises:
        ModelError: the model does not answer.
        UsageError: it answers without text.
    """
    log, logged = _read_log(folder)
    pool, limit, out = ClientPool(), asyncio.Semaphore(model.max_in_flight or 4), {}
    caller = pool.caller(model)

    async def one(system: str, number: int) -> str:
        prompt = Prompt(INSTRUCTION, (Text(f"Version {number} of {count}, worded unlike the others:\n\n{system}"),))
        request = build_request(prompt, model, "semantic", session="paraphrase")
        if request.words_hash not in logged:
            async with limit:
                reply = await caller.ask(request)
            if not reply.text.strip():
                raise UsageError(f"model '{model.name}' gave an empty paraphrase; choose another --paraphrase-model")
            line = {"words_hash": request.words_hash, "model": reply.served_model or model.model_id, "number": number,
                    "at": datetime.now(UTC).isoformat(timespec="seconds"), "text": reply.text.strip()}  # fmt: skip
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
            logged[request.words_hash] = line["text"]
        return logged[request.words_hash]

    try:
        for system in dict.fromkeys(systems):
            out[system] = list(await asyncio.gather(*(one(system, n + 1) for n in range(count))))
    finally:
        await pool.close()
    return out


def _read_log(folder: Path) -> tuple[Path, dict[str, str]]:
    """Returns the log's path and its texts by the hash of their question."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / LOG
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
    return log, {line["words_hash"]: line["text"] for line in lines}
