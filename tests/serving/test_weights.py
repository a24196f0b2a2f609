"""Where weights come from, and what is said when they are not there."""

import pytest

from gwray.errors import UsageError
from gwray.serving import ServingError, read_serving
from gwray.serving.weights import resolve


def spec(source):
    return read_serving("qwen2.5-vl-7b").model_copy(update={"model_source": str(source)})


@pytest.fixture(autouse=True)
def _own_caches(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)


def model_folder(path):
    path.mkdir(parents=True)
    (path / "config.json").write_text("{}")
    (path / "model.safetensors").write_bytes(b"weights")
    return path


def test_a_folder_is_handed_on_and_needs_no_network(tmp_path):
    folder = model_folder(tmp_path / "m")
    weights = resolve(spec(folder))
    assert weights.source == str(folder) and weights.offline


def test_a_missing_folder_says_how_to_prefetch(tmp_path):
    with pytest.raises(ServingError, match=r"does not exist on this machine.*hf download .*--local-dir"):
        resolve(spec(tmp_path / "nothing"))


def test_a_folder_without_a_model_is_not_a_model(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ServingError, match=r"has no config\.json"):
        resolve(spec(tmp_path / "empty"))


def test_a_hub_id_is_left_to_the_engine_when_there_is_a_network():
    weights = resolve(spec("Qwen/Qwen2.5-VL-7B-Instruct"))
    assert weights.source == "Qwen/Qwen2.5-VL-7B-Instruct" and not weights.offline


def test_offline_and_not_in_the_cache_says_how_to_prefetch(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ServingError, match=r"16\.6 GB.*hf download Qwen/Q.*model_source=/models/qwen2\.5-vl-7b"):
        resolve(spec("Qwen/Q"))


def test_offline_uses_the_cached_snapshot(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    snapshot = model_folder(tmp_path / "hf" / "hub" / "models--Qwen--Q" / "snapshots" / "abc")
    assert resolve(spec("Qwen/Q")).source == str(snapshot)


def test_a_bucket_is_read_by_the_engine_itself():
    assert resolve(spec("s3://bucket/m")).source == "s3://bucket/m"


def test_any_other_fsspec_address_is_copied_once(tmp_path):
    folder = model_folder(tmp_path / "remote")
    first = resolve(spec(f"file://{folder}"))
    assert first.offline and first.source != str(folder)
    (folder / "model.safetensors").unlink()
    assert resolve(spec(f"file://{folder}")) == first, "the second time nothing is fetched"


def test_an_address_with_nothing_behind_it_says_so(tmp_path):
    with pytest.raises(ServingError, match=r"could not be fetched from file://.*no config\.json"):
        resolve(spec(f"file://{tmp_path}/none"))


def test_a_source_that_is_nothing_of_all_this_is_refused():
    with pytest.raises(UsageError, match="neither a path"):
        resolve(spec("just-a-word"))
