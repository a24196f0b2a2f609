"""Computes which models fit on a cluster together; the error if one never fits."""

import os

import pytest

from gwray import serving
from gwray.errors import UsageError
from gwray.serving.cluster import gpu_memory_gb


def spec(name, gpus=1, *, gb=0, cpus=1, memory=0, replicas=1, kind=None):
    return serving.DeploymentSpec(
        name=name,
        engine="gpu" if gpus else "cpu",
        model_source="tiny:0",
        resources=serving.Resources(gpus=gpus, gpu_memory_gb=gb, cpus=cpus, memory_gb=memory, accelerator_type=kind),
        tensor_parallel=gpus or 1,
        max_model_len=4096,
        replicas_min=replicas,
        replicas_max=replicas,
        weights_gb=1,
        source="test",
    )


def nodes(*gpus, cpus=16, reserve=0, gb=None, memory=None, kind=None):
    return serving.ClusterResources(
        tuple(serving.Node(cpus=cpus, gpus=g, gpu_memory_gb=gb, memory_gb=memory, accelerator_type=kind) for g in gpus),
        reserve,
    )


@pytest.mark.parametrize(
    ("models", "cluster", "expected"),
    [
        ([spec("a"), spec("b")], nodes(2), [["a", "b"]]),
        ([spec("a"), spec("b")], nodes(1), [["a"], ["b"]]),
        ([spec("a"), spec("b", 2), spec("c")], nodes(2), [["b"], ["a", "c"]]),
        ([spec("small"), spec("big", 8), spec("mid", 4)], nodes(8), [["big"], ["mid", "small"]]),
        ([spec("a", 2), spec("b", 2)], nodes(2, 2), [["a", "b"]]),
        ([spec("a", replicas=2), spec("b")], nodes(2), [["a"], ["b"]]),
        ([spec("a", 0), spec("b", 0)], nodes(0, cpus=2, reserve=1), [["a"], ["b"]]),
        ([spec("a", 0), spec("b", 0)], nodes(0, cpus=4, reserve=1), [["a", "b"]]),
        ([spec("a", memory=60), spec("b", memory=60)], nodes(2, memory=100), [["a"], ["b"]]),
        ([], nodes(1), []),
    ],
)
def test_models_that_fit_together_share_a_wave(models, cluster, expected):
    assert serving.waves(models, cluster) == expected


def test_waves_are_deterministic():
    models = [spec(n) for n in "cab"]
    assert serving.waves(models, nodes(2)) == serving.waves(models, nodes(2)) == [["c", "a"], ["b"]]


@pytest.mark.parametrize(
    ("model", "cluster", "says"),
    [
        (spec("big", 8), nodes(4), "big needs 8 GPUs; this cluster has 4"),
        (spec("big", 2, gb=80), nodes(4, gb=24), "needs GPUs of 80 GB; the largest here has 24 GB"),
        (spec("any"), nodes(0), "needs 1 GPU(s); this cluster has none"),
        (spec("h", kind="H100"), nodes(2, kind="L4"), "needs H100 GPUs; this cluster has L4"),
        (spec("c", 0, cpus=2), nodes(0, cpus=2, reserve=1), "needs 2 CPU(s); this cluster has 1 CPU(s) apart from"),
        (spec("m", 1, memory=200), nodes(1, memory=100), "200 GB of memory"),
        (spec("apart", 4), nodes(2, 2), "apart needs 4 GPUs on one node; the largest node has 2"),
        (spec("r", 1, replicas=3), nodes(2), "needs 3 GPUs (3 replicas); this cluster has 2"),
    ],
)
def test_capacity_problem_names_need_and_capacity(model, cluster, says):
    assert says in (serving.capacity_problem(model, cluster) or "")
    with pytest.raises(UsageError, match="serving=external"):
        serving.waves([model, spec("ok", 0)], cluster)


def test_gpu_of_unknown_size_is_accepted():
    assert serving.capacity_problem(spec("a", gb=80), nodes(1)) is None


def test_replica_uses_only_gpus_of_its_kind():
    mixed = serving.ClusterResources(
        (serving.Node(cpus=8, gpus=1, accelerator_type="H100"), serving.Node(cpus=8, gpus=1, accelerator_type="L4"))
    )
    assert serving.capacity_problem(spec("a", 2, kind="H100"), mixed) == "a needs 2 GPUs; this cluster has 1"


def test_container_limit_bounds_this_machine(monkeypatch):
    monkeypatch.setattr("ray._private.utils._get_docker_cpus", lambda: 1.0)
    assert serving.this_machine().cpus == 1


@pytest.mark.parametrize(
    ("told", "gb"),
    [("40960\n40960\n", 42.9), ("81559\n", 85.5), ("24564\n16384\n", 17.2), ("[N/A]\n", None), ("", None)],
)
def test_gpu_memory_is_asked_from_the_driver(tmp_path, monkeypatch, told, gb):
    """Ray names an A100 of 40 and of 80 GB alike, and has no name for many others."""
    (tmp_path / "nvidia-smi").write_text(f"#!/bin/sh\nprintf '{told}'\n")
    (tmp_path / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert gpu_memory_gb() == (None if gb is None else pytest.approx(gb, abs=0.05))
    monkeypatch.setattr("gwray.serving.cluster.this_node", lambda: (8.0, 64e9, 2, "A100"))
    problem = serving.capacity_problem(spec("a", 2, gb=80), serving.this_machine())
    assert ("GPUs of 80 GB; the largest here" in (problem or "")) == (gb is not None and gb < 80)


@pytest.mark.parametrize(
    ("models", "cluster", "cpus"),
    [
        ([spec("a", 1, cpus=4), spec("b", 2, cpus=8)], nodes(4), 12),
        ([spec("a", 1, cpus=4).model_copy(update={"replicas_max": 8})], nodes(2, 1), 8),
        ([spec("a", 1, cpus=4).model_copy(update={"replicas_max": 8})], nodes(1), 4),
        ([spec("a", 1, replicas=3, cpus=4).model_copy(update={"replicas_max": 8})], nodes(8), 16),
        ([spec("a", 0, cpus=1).model_copy(update={"replicas_max": 2})], nodes(0), 2),
        ([], nodes(0), 0),
    ],
)
def test_reserved_cpus_count_one_more_replica(models, cluster, cpus):
    assert serving.reserved_cpus(models, cluster) == cpus
