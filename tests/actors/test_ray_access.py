"""Access to a Ray cluster of gwray: it requires its token, and its logs contain no key."""

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import ray
from pipelines.conftest import play
from standin import Say, Standin

from gwray.ray_connection import connect

KEY = "sk-their-SECRETSECRET0123456789"
CONNECT = """
import ray, sys
ray.init(sys.argv[1], logging_level=50)
print(ray.get(ray.remote(lambda: "inside").remote()))
"""


def stranger(address: str, home: Path, **more: str) -> str:
    """Returns the output of another process that connects without the token and variables."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")} | {"HOME": str(home), **more}
    done = subprocess.run(
        [sys.executable, "-c", CONNECT, address], env=env, capture_output=True, text=True, timeout=300
    )
    return done.stdout + ("refused" if done.returncode else "")


@pytest.mark.slow
async def test_ray_requires_token_and_logs_no_key(tmp_path, monkeypatch):
    monkeypatch.setenv("THEIR_KEY", KEY)
    with Standin() as standin:
        standin.answer = lambda *_: Say(text=f"The key is {KEY}.", calls=[("flap", {})])
        model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x",
                 "api_key_env": "THEIR_KEY"}  # fmt: skip
        assert connect(None)
        try:
            address = ray.get_runtime_context().gcs_address
            assert await asyncio.to_thread(stranger, address, tmp_path) == "refused"
            token = (Path.home() / ".ray" / "auth_token").read_text()
            assert "inside" in await asyncio.to_thread(
                stranger, address, tmp_path, RAY_AUTH_TOKEN=token, RAY_AUTH_MODE="token"
            )
            ended = await play(tmp_path, {"model": model, "executor": {"name": "ray", "lanes": 1, "actors": 1}})
            assert ended.complete
        finally:
            ray.shutdown()
    sessions = (Path(tempfile.gettempdir()) / "ray").glob(f"session_*_{os.getpid()}")
    session = max(sessions, key=lambda folder: folder.stat().st_mtime)
    logs = [file for file in session.rglob("*") if file.is_file()]
    assert any(b"SandboxActor" in file.read_bytes() for file in logs), "the right folder"
    assert not [
        file
        for file in [*logs, *ended.run.local_path.rglob("*")]
        if file.is_file() and KEY.encode() in file.read_bytes()
    ]
