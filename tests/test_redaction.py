"""Keys never appear in files or messages."""

import base64
from urllib.parse import quote

import pytest

from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import open_run
from gwray.pipelines.settings import run_spec
from gwray.records import HIDDEN, hide, is_secret, redacted, redacted_override, redacted_text

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
BYTES = PLANTED.encode()
ENCODED = {
    "plain": PLANTED,
    "percent": quote(PLANTED),
    "percent, all": quote(PLANTED, safe=""),
    "percent, lower": quote(PLANTED, safe="").lower(),
    **{f"base64 {n}": encode(before + BYTES).decode() for n, (encode, before) in enumerate(
        (e, b) for e in (base64.b64encode, base64.urlsafe_b64encode) for b in (b"", b"me:", b"api:", b"user:"))},
    "base64, no padding": base64.b64encode(BYTES).decode().rstrip("="),
    "base64 with text behind it": base64.b64encode(b"x" + BYTES + b":y").decode(),
}  # fmt: skip


@pytest.mark.parametrize("around", ["it said {} twice", '{{"error":"{}","x":1}}', "key={}"])
@pytest.mark.parametrize("form", ENCODED)
def test_secrets_are_hidden_plain_url_encoded_and_in_base64(form, around):
    text = hide(around.format(ENCODED[form]), [PLANTED], HIDDEN)
    assert HIDDEN in text
    # Digits of base64 that the secret shares with the text before and behind it remain.
    assert len(text) <= len(around.format(HIDDEN)) + 14


@pytest.mark.parametrize("text", [
    "The quick brown fox jumps over %20 and &amp; the \\n lazy dog, planted keys and signs.", "a" * 5000,
    base64.b64encode(bytes(range(256)) * 4).decode(), "key=with a+plant, and /key= too",
])  # fmt: skip
def test_other_text_is_unchanged(text):
    assert hide(text, [PLANTED, "correct horse battery"], HIDDEN) == text


@pytest.mark.parametrize(("value", "secret"), [
    ("postgres://app:s3cr%2Ft-pass@db:5432/x", "s3cr/t-pass"), ("redis://:r3dispass@h/0", "r3dispass"),
    ("host=db password=hunter22hunter user=x", "hunter22hunter"),
    ("https://0123456789abcdef@o1.ingest.sentry.io/1", "0123456789abcdef"),
    ("Endpoint=https://x;AccountKey=Zm9vYmFyYmF6;Suffix=core", "Zm9vYmFyYmF6"),
    ("jdbc:mysql://h/db?user=u&password=p4sswordp4ss", "p4sswordp4ss"),
    ("ghp_abcdefghijklmnopqrstuvwxyz0123", "ghp_abcdefghijklmnopqrstuvwxyz0123"),
])  # fmt: skip
def test_secrets_inside_other_variables_are_hidden(monkeypatch, value, secret):
    monkeypatch.setenv("DB_DSN", value)
    assert redacted_text(f"refused: {secret}, sorry") == f"refused: {HIDDEN}, sorry"
    assert secret not in redacted_text(f"refused: {quote(secret, safe='')} {value}")


@pytest.mark.parametrize("said", [
    "api_key: Hunter2xyz is wrong", "password=hunter", '{"token": "hunter"}', "Authorization: Bearer abcdefg",
    "secret: correct-horse",
])  # fmt: skip
def test_a_value_in_a_message_is_hidden(said):
    assert HIDDEN in redacted_text(said) and "unter" not in redacted_text(said) and "horse" not in redacted_text(said)


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
