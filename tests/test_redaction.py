"""No key that was typed somewhere is written down."""

import base64
from urllib.parse import quote

import pytest

from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import open_run
from gwray.pipelines.settings import run_spec
from gwray.redaction import HIDDEN, is_secret, redacted, redacted_override, redacted_text

KEY = "sk-planted-0123456789abcdef"


@pytest.mark.parametrize("name", [
    "model.options.api_key", "WANDB_API_KEY", "apiKey", "x-api-key", "hf_token", "Authorization", "db.password",
    "client_secret", "+model.options.headers.cookie",
])  # fmt: skip
def test_names_of_secrets_are_known(name):
    assert is_secret(name)


@pytest.mark.parametrize("name", [
    "model.api_key_env", "budget.tokens", "sampling.max_output_tokens", "key_hold_ms_id", "keyboard", "monkey", "game",
    "stop_token_id", "", "KeyError",
])  # fmt: skip
def test_names_of_other_settings_are_not(name):
    assert not is_secret(name)


@pytest.mark.parametrize(("typed", "kept"), [
    ("+model.options.api_key=abc", f"+model.options.api_key={HIDDEN}"),
    ("WANDB_API_KEY=abc", f"WANDB_API_KEY={HIDDEN}"),
    ("model.base_url=http://user:pass@host:8000/v1", f"model.base_url=http://{HIDDEN}@host:8000/v1"),
    ("serving.base_url=http://host/v1?api_key=abc&x=1", f"serving.base_url=http://host/v1?api_key={HIDDEN}&x=1"),
    ("+model.options.headers={Authorization: Bearer abc.def, x: 1}",
     f"+model.options.headers={{Authorization: {HIDDEN}, x: 1}}"),
    ("cells=[model=random +model.options.token=abc interface=semantic]",
     f"cells=[model=random +model.options.token={HIDDEN} interface=semantic]"),
    (f"model.options.note={KEY}", f"model.options.note={HIDDEN}"),
    (f"model.options.note=hf_{'aB3' * 10}", f"model.options.note={HIDDEN}"),
    ("budget.tokens=100000", "budget.tokens=100000"),
    ("game=[01_2048,13_flappy-bird]", "game=[01_2048,13_flappy-bird]"),
    ("run_dir=s3://bucket/runs/a", "run_dir=s3://bucket/runs/a"),
])  # fmt: skip
def test_an_override_is_kept_without_its_secret(typed, kept):
    assert redacted_override(typed) == kept


def test_a_value_of_the_environment_is_hidden_wherever_it_stands(monkeypatch):
    monkeypatch.setenv("SOME_SERVICE_TOKEN", "correct horse battery")
    said = "no access with correct horse battery, sorry"
    assert redacted_text(said) == f"no access with {HIDDEN}, sorry"
    monkeypatch.setenv("KEY_OF_A_FILE", "read from a file\n")
    assert redacted_text("no access with read from a file, sorry") == f"no access with {HIDDEN}, sorry"
    assert redacted({"a": [said], "n": 3, "none": None, "apiKey": "abc", "max_token": 5}) == {
        "a": [f"no access with {HIDDEN}, sorry"], "n": 3, "none": None, "apiKey": HIDDEN, "max_token": 5,
    }  # fmt: skip


PLANTED = "a+planted/key=with?signs"


@pytest.mark.parametrize("spelt", [
    quote(PLANTED), quote(PLANTED, safe=""), quote(PLANTED, safe="").lower(),
    *(spell(f"{before}{PLANTED}".encode()).decode()
      for spell in (base64.b64encode, base64.urlsafe_b64encode) for before in ("", "me:", "api:", "user:")),
])  # fmt: skip
def test_a_value_of_the_environment_is_hidden_in_every_spelling(monkeypatch, spelt):
    monkeypatch.setenv("SOME_SERVICE_KEY", PLANTED)
    hidden = redacted_text(f"it said {spelt} twice")
    assert HIDDEN in hidden
    # Of base64, what stands before and behind the key shares up to three letters with it.
    assert len(hidden) <= len(f"it said {HIDDEN} twice") + 14 and spelt[8:-6] not in hidden


@pytest.mark.parametrize("said", [
    "AuthError: glm needs a key: the environment variable ZAI_API_KEY is not set (export ZAI_API_KEY=…, or another)",
    "Input.dispatchKeyEvent: hung: no answer to it within 30 s",
])  # fmt: skip
def test_our_own_sentences_are_not_eaten(said):
    assert redacted_text(said) == said


@pytest.mark.parametrize("said", [
    "api_key: Hunter2xyz is wrong", "password=hunter", '{"token": "hunter"}', "Authorization: Bearer abcdefg",
    "secret: correct-horse",
])  # fmt: skip
def test_a_value_in_a_message_is_hidden(said):
    assert HIDDEN in redacted_text(said) and "unter" not in redacted_text(said) and "horse" not in redacted_text(said)


def test_a_word_that_was_typed_as_a_setting_is_no_sentence():
    assert redacted_override("+model.options.headers={password: hunter}").endswith(f"{{password: {HIDDEN}}}")


def test_a_key_that_was_typed_is_nowhere_in_the_run_directory(tmp_path, monkeypatch):
    config = {
        "game": "13_flappy-bird", "task": "1", "run_dir": str(tmp_path / "run"), "name": "secret",
        "model": {
            "name": "mine", "provider": "openai_chat", "base_url": "http://me:hunter2hunter2@127.0.0.1:1/v1",
            "api_key_env": "MY_KEY", "options": {"api_key": KEY, "extra_headers": {"Authorization": f"Bearer {KEY}"}},
        },
    }  # fmt: skip
    monkeypatch.setattr("sys.argv", ["launch.py", f"+model.options.api_key={KEY}", "game=13_flappy-bird"])
    plan = make_plan([run_spec(config)])
    run = open_run(plan)
    open_run(plan)  # a second command joins the same manifest
    text = (tmp_path / "run" / "run.json").read_text()
    assert KEY not in text and "hunter2" not in text
    assert run.manifest().jobs[0]["model"]["api_key_env"] == "MY_KEY" and len(run.manifest().jobs) == 1
    assert run.manifest().command == f"python launch.py '+model.options.api_key={HIDDEN}' game=13_flappy-bird"
    assert plan.cells[0].spec.model.options["api_key"] == KEY, "the run itself still has it"
