"""Which models fit on a cluster together, and the message if one never fits."""

import pytest

from gwray.errors import UsageError
from gwray.serving import (
    ClusterResources,
    DeploymentSpec,
    Node,
    Resources,
    capacity_problem,
    reserved_cpus,
    this_machine,
    waves,
)


def spec(name, gpus=1, *, gb=0, cpus=1, memory=0, replicas=1, kind=None, stages=1):
    return DeploymentSpec(
        name=name,
        engine="gpu" if gpus else "cpu",
        model_source="tiny:0",
        resources=Resources(gpus=gpus, gpu_memory_gb=gb, cpus=cpus, memory_gb=memory, accelerator_type=kind),
        tensor_parallel=gpus // stages or 1,
        engine_kwargs={"pipeline_parallel_size": stages},
        max_model_len=4096,
        replicas_min=replicas,
        replicas_max=replicas,
        weights_gb=1,
        source="test",
    )


def nodes(*gpus, cpus=16, reserve=0, gb=None, memory=None, kind=None):
    return ClusterResources(
        tuple(Node(cpus=cpus, gpus=g, gpu_memory_gb=gb, memory_gb=memory, accelerator_type=kind) for g in gpus),
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
        ([spec("spread", 4, stages=2)], nodes(2, 2), [["spread"]]),
        ([spec("a", replicas=2), spec("b")], nodes(2), [["a"], ["b"]]),
        ([spec("a", 0), spec("b", 0)], nodes(0, cpus=2, reserve=1), [["a"], ["b"]]),
        ([spec("a", 0), spec("b", 0)], nodes(0, cpus=4, reserve=1), [["a", "b"]]),
        ([spec("a", memory=60), spec("b", memory=60)], nodes(2, memory=100), [["a"], ["b"]]),
        ([], nodes(1), []),
    ],
)
def test_models_that_fit_together_share_a_wave(models, cluster, expected):
    assert waves(models, cluster) == expected


def test_waves_are_deterministic():
    models = [spec(n) for n in "cab"]
    assert waves(models, nodes(2)) == waves(models, nodes(2)) == [["c", "a"], ["b"]]


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
    assert says in (capacity_problem(model, cluster) or "")
    with pytest.raises(UsageError, match="serving=external"):
        waves([model, spec("ok", 0)], cluster)


def test_gpu_of_unknown_size_is_accepted():
    assert capacity_problem(spec("a", gb=80), nodes(1)) is None


def test_replica_uses_only_gpus_of_its_kind():
    mixed = ClusterResources(
        (Node(cpus=8, gpus=1, accelerator_type="H100"), Node(cpus=8, gpus=1, accelerator_type="L4"))
    )
    assert capacity_problem(spec("a", 2, kind="H100"), mixed) == "a needs 2 GPUs; this cluster has 1"


def test_container_limit_bounds_this_machine(monkeypatch):
    monkeypatch.setattr("ray._private.utils._get_docker_cpus", lambda: 1.0)
    assert this_machine().cpus == 1


@pytest.mark.parametrize(
    ("models", "cluster", "cpus"),
    [
        ([spec("a", 1, cpus=4), spec("b", 2, cpus=8)], nodes(4), 12),
        ([spec("a", 1, cpus=4).model_copy(update={"replicas_max": 8})], nodes(2, 1), 12),
        ([spec("a", 0, cpus=1).model_copy(update={"replicas_max": 2})], nodes(0), 2),
        ([], nodes(0), 0),
    ],
)
def test_reserved_cpus_count_autoscaled_replicas(models, cluster, cpus):
    assert reserved_cpus(models, cluster) == cpus
