"""Computes which models fit on a cluster together, so that a plan can show its waves before anything starts.

Pure arithmetic over nodes; imports neither Ray nor an engine. A replica's GPUs are on one node. Counts the minimum of
each model's replicas: autoscaling adds the others where resources are left.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gwray.errors import UsageError
from gwray.serving.profile import DeploymentSpec

EPSILON = 1e-6


@dataclass(frozen=True)
class Node:
    """Resources of one node. `gpu_memory_gb`: of each GPU, None if unknown."""

    cpus: float
    gpus: float = 0
    gpu_memory_gb: float | None = None
    memory_gb: float | None = None
    accelerator_type: str | None = None


@dataclass(frozen=True)
class ClusterResources:
    """Resources of all nodes of a cluster. `reserve_cpus`: CPUs kept free for the browsers."""

    nodes: tuple[Node, ...]
    reserve_cpus: float = 0

    @property
    def cpus(self) -> float:
        return sum(n.cpus for n in self.nodes)

    @property
    def gpus(self) -> float:
        return sum(n.gpus for n in self.nodes)


def capacity_problem(spec: DeploymentSpec, cluster: ClusterResources) -> str | None:
    """Returns why this model cannot run on this cluster even alone; None if it can."""
    need, count = spec.resources, spec.replicas_min
    times = f" ({count} replicas)" if count > 1 else ""
    if need.gpus:
        if not cluster.gpus:
            return f"{spec.name} needs {need.gpus * count} GPU(s){times}; this cluster has none"
        of_kind = [n for n in cluster.nodes if n.gpus and _has_kind(n, need.accelerator_type)]
        if not of_kind:
            kinds = sorted({n.accelerator_type or "unknown" for n in cluster.nodes if n.gpus})
            return f"{spec.name} needs {need.accelerator_type} GPUs; this cluster has {', '.join(kinds)}"
        enough = [n for n in of_kind if _has_gpu_memory(n, need.gpu_memory_gb)]
        if not enough:
            best = max(n.gpu_memory_gb or 0 for n in of_kind)
            return f"{spec.name} needs GPUs of {need.gpu_memory_gb:g} GB; the largest here has {best:g} GB"
        have = sum(n.gpus for n in enough)
        if have + EPSILON < need.gpus * count:
            size = f" of {need.gpu_memory_gb:g} GB" if need.gpu_memory_gb else ""
            return f"{spec.name} needs {need.gpus * count} GPUs{size}{times}; this cluster has {have:g}"
    if _Capacity(cluster).reserve(spec):
        return None
    if need.gpus > (most := max((n.gpus for n in cluster.nodes), default=0)) + EPSILON:
        return (
            f"{spec.name} needs {need.gpus} GPUs on one node; the largest node has {most:g}. Lower tensor_parallel, or "
            "serve the model yourself with serving=external serving.base_url=…"
        )
    have_cpus = cluster.cpus - cluster.reserve_cpus
    return (
        f"{spec.name} needs {need.cpus * count:g} CPU(s)"
        + (f" and {need.memory_gb * count:g} GB of memory" if need.memory_gb else "")
        + f"{times}; this cluster has {max(have_cpus, 0):g} CPU(s) apart from those of the browsers"
    )


def waves(specs: Sequence[DeploymentSpec], cluster: ClusterResources) -> list[list[str]]:
    """Returns the models' names, grouped so that each group fits at once. Places the largest models first, each in the
    first wave with enough capacity. Models of equal size keep their order, so the same plan always has the same waves.
    Raises `UsageError` that names every model that does not fit."""
    impossible = [problem for s in specs if (problem := capacity_problem(s, cluster))]
    if impossible:
        raise UsageError(
            "; ".join(impossible)
            + ". Use a larger cluster (executor.address=…), lower the resources in conf/deployment/, or use a server "
            "that hosts the model with serving=external serving.base_url=…."
        )
    capacities: list[_Capacity] = []
    out: list[list[str]] = []
    for spec in sorted(specs, key=lambda s: (-s.resources.gpus * s.replicas_min, -s.resources.cpus * s.replicas_min)):
        for capacity, names in zip(capacities, out, strict=True):
            if capacity.reserve(spec):
                names.append(spec.name)
                break
        else:
            capacity = _Capacity(cluster)
            capacity.reserve(spec)
            capacities.append(capacity)
            out.append([spec.name])
    return out


def fitting(specs: Sequence[DeploymentSpec], cluster: ClusterResources) -> list[str]:
    """Returns the names of the models that fit at once, in order."""
    capacity = _Capacity(cluster)
    return [spec.name for spec in specs if capacity.reserve(spec)]


def reserved_cpus(specs: Sequence[DeploymentSpec], cluster: ClusterResources) -> float:
    """Returns the CPUs that these models use together, with one replica of each that autoscaling may add and the GPUs
    allow: the demand for browsers, which grows with the replicas, leaves room for further ones."""
    total = 0.0
    for spec in specs:
        need, count = spec.resources, min(spec.replicas_min + 1, spec.replicas_max)
        if need.gpus:
            count = max(spec.replicas_min, min(count, int((cluster.gpus + EPSILON) // need.gpus)))
        total += need.cpus * count
    return total


class _Capacity:
    """Resources that are still free on each node of a cluster."""

    def __init__(self, cluster: ClusterResources):
        self._nodes = cluster.nodes
        self._cpus = [n.cpus for n in cluster.nodes]
        self._gpus = [n.gpus for n in cluster.nodes]
        self._memory = [n.memory_gb for n in cluster.nodes]
        reserve = cluster.reserve_cpus  # browsers need no GPU: they go to the nodes with the fewest
        for i in sorted(range(len(self._cpus)), key=lambda i: self._gpus[i]):
            browsers = min(reserve, self._cpus[i])
            self._cpus[i] -= browsers
            reserve -= browsers

    def reserve(self, spec: DeploymentSpec) -> bool:
        """Reserves the minimum of a model's replicas, or nothing."""
        before = (list(self._cpus), list(self._gpus), list(self._memory))
        for _ in range(spec.replicas_min):
            if not self._reserve_replica(spec):
                self._cpus, self._gpus, self._memory = before
                return False
        return True

    def _reserve_replica(self, spec: DeploymentSpec) -> bool:
        """Reserves the resources of one replica, on the fullest node with enough. Returns whether it fits."""
        need = spec.resources
        usable = [
            i
            for i, n in enumerate(self._nodes)
            if self._cpus[i] + EPSILON >= need.cpus
            and self._gpus[i] + EPSILON >= need.gpus
            and (not need.gpus or (_has_kind(n, need.accelerator_type) and _has_gpu_memory(n, need.gpu_memory_gb)))
            and ((memory := self._memory[i]) is None or memory + EPSILON >= need.memory_gb)
        ]
        if not usable:
            return False
        node = min(usable, key=self._gpus.__getitem__)
        self._gpus[node] -= need.gpus
        self._cpus[node] -= need.cpus
        if (free := self._memory[node]) is not None:
            self._memory[node] = free - need.memory_gb
        return True


def _has_kind(node: Node, wanted: str | None) -> bool:
    return wanted is None or node.accelerator_type == wanted


def _has_gpu_memory(node: Node, gb: float) -> bool:
    return node.gpu_memory_gb is None or node.gpu_memory_gb + EPSILON >= gb
