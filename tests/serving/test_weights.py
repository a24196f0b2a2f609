"""Sources of weights, and the messages if they cannot be had."""

import os
import shutil
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from huggingface_hub import constants

from gwray.errors import UsageError
from gwray.serving import ServingError, read_deployment, weights_digest
from gwray.serving.weights import Weights, resolve, revision


def spec(source, commit=""):
    return read_deployment("qwen2.5-vl-7b").model_copy(update={"model_source": str(source), "revision": commit})


@pytest.fixture(autouse=True)
def _own_caches(tmp_path, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hf"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)


def model_folder(path):
    path.mkdir(parents=True)
    (path / "config.json").write_text("{}")
    (path / "model.safetensors").write_bytes(b"weights")
    return path


def test_folder_is_used_offline(tmp_path):
    folder = model_folder(tmp_path / "m")
    weights = resolve(spec(folder))
    assert weights.source == str(folder) and weights.offline


def test_missing_folder_says_how_to_download(tmp_path):
    with pytest.raises(ServingError, match=r"does not exist on this machine.*hf download .*--local-dir"):
        resolve(spec(tmp_path / "nothing"))


def test_folder_without_config_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ServingError, match=r"has no config\.json"):
        resolve(spec(tmp_path / "empty"))


class Hub(BaseHTTPRequestHandler):
    """Answers like the hub's authorization check."""

    def do_GET(self):
        status, code = {"gated": (403, "GatedRepo"), "none": (401, "RepoNotFound"), "busy": (503, "")}.get(
            self.path.split("/")[4], (200, "")
        )
        self.send_response(status)
        if code:
            self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_): ...


@pytest.fixture
def hub(monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        yield
        server.shutdown()


def test_hub_id_is_passed_to_engine_online(hub):
    weights = resolve(spec("Qwen/Qwen2.5-VL-7B-Instruct"))
    assert weights.source == "Qwen/Qwen2.5-VL-7B-Instruct" and not weights.offline


@pytest.mark.parametrize(
    ("source", "says"),
    [("org/gated", "accept its licence.*HF_TOKEN"), ("org/none", "has no model org/none, or it is private")],
)
def test_model_refused_by_hub_is_reported(hub, source, says):
    with pytest.raises(ServingError, match=says + r".*`hf download org/"):
        resolve(spec(source))
    assert not resolve(spec("org/busy")).offline, "the hub's own trouble may be over when the engine asks"


def test_unreachable_hub_says_how_to_download(monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ServingError, match=r"http://127\.0\.0\.1:9 cannot be reached.*`hf download Qwen/Q "):
        resolve(spec("Qwen/Q"))


def test_offline_without_cache_says_how_to_download(monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ServingError, match=r"16\.6 GB.*hf download Qwen/Q.*model_source=/models/qwen2\.5-vl-7b"):
        resolve(spec("Qwen/Q"))


def cached_model(hub, commit):
    """Puts a model into a cache of the hub as its newest commit, as a download does."""
    model = hub / "models--Qwen--Q"
    (model / "refs").mkdir(parents=True, exist_ok=True)
    (model / "refs" / "main").write_text(commit)
    return model_folder(model / "snapshots" / commit)


def test_offline_uses_only_the_named_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    newest = cached_model(tmp_path / "hf", "b" * 40)
    assert resolve(spec("Qwen/Q")).source == str(newest) and revision(spec("Qwen/Q")) == "b" * 40
    with pytest.raises(ServingError, match=f"commit {'a' * 40}.* not in the cache.*--revision {'a' * 40} --local-dir"):
        resolve(spec("Qwen/Q", "a" * 40))
    named = cached_model(tmp_path / "hf", "a" * 40)
    assert resolve(spec("Qwen/Q", "a" * 40)).source == str(named)
    assert revision(spec("Qwen/Q", "a" * 40)) == "a" * 40


def test_bucket_is_passed_to_engine():
    assert resolve(spec("s3://bucket/m")).source == "s3://bucket/m"


def test_unknown_source_is_refused():
    for source in ("just-a-word", "http://host/m"):
        with pytest.raises(UsageError, match="neither a path"):
            resolve(spec(source))


def test_weights_may_lie_on_the_engines_nodes_only(monkeypatch):
    assert resolve(spec("/models/elsewhere"), elsewhere=True) == Weights("/models/elsewhere", offline=True)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert resolve(spec("Org/not-here"), elsewhere=True) == Weights("Org/not-here", offline=True)
    for source in ("/models/elsewhere", "Org/not-here"):
        with pytest.raises(ServingError, match=r"does not exist on this machine|not in the cache"):
            resolve(spec(source))


def test_weights_in_a_folder_are_identified_by_content(tmp_path, monkeypatch):
    """Not by path, header or size; what only training reads does not count."""
    monkeypatch.setattr(weights_digest, "SLOW", 0)
    messages = []
    first = model_folder(tmp_path / "m")
    known = revision(spec(first), messages.append)
    assert len(known) == 40 and revision(spec(first, known)) == known
    shutil.copytree(first, tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "optimizer.pt").write_bytes(b"momentum")
    assert revision(spec(tmp_path / "elsewhere")) == known
    for name, content in (("model.safetensors", b"WEIGHTS"), ("config.json", b"[]"), ("chat_template.jinja", b"")):
        other = tmp_path / f"other {name}"
        shutil.copytree(first, other)
        (other / name).write_bytes(content)
        assert revision(spec(other)) != known, name
    assert revision(spec(tmp_path / "nowhere")) == ""
    with pytest.raises(UsageError, match=f"have the digest {known}, not revision {'0' * 40}"):
        revision(spec(first, "0" * 40))
    assert messages == [f"reading 0 GB of weights in {first} once, to tell them from others"]


def test_large_weights_are_read_once(tmp_path, monkeypatch):
    monkeypatch.setattr(weights_digest, "KEPT_FROM", 1)
    folder = model_folder(tmp_path / "m")
    file = folder / "model.safetensors"
    known, before = revision(spec(folder)), file.stat()
    file.write_bytes(b"WEIGHTS")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert revision(spec(folder)) == known, "nothing tells that the file has changed"
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert revision(spec(folder)) != known
