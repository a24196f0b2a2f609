"""Which models fit on a cluster together: pure arithmetic over nodes, so that a plan can show its waves before anything
starts. Knows neither Ray nor an engine.

A replica's GPUs are packed onto one node when one has enough, otherwise spread over several (Ray does the same). Of a
model, as many replicas as its minimum are counted: those beyond it are autoscaling's, and take what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gwray.errors import UsageError
from gwray.serving.profile import DeploymentSpec

EPSILON = 1e-6


@dataclass(frozen=True)
class Node:
    """What one machine offers. `gpu_memory_gb`: of each GPU, None if unknown."""

    cpus: float
    gpus: float = 0
    gpu_memory_gb: float | None = None
    memory_gb: float | None = None
    accelerator_type: str | None = None


@dataclass(frozen=True)
class ClusterResources:
    """All machines of a cluster. `reserve_cpus`: kept free for the browsers."""

    nodes: tuple[Node, ...]
    reserve_cpus: float = 0

    @property
    def cpus(self) -> float:
        return sum(n.cpus for n in self.nodes)

    @property
    def gpus(self) -> float:
        return sum(n.gpus for n in self.nodes)


def misfit(spec: DeploymentSpec, cluster: ClusterResources) -> str | None:
    """Why this model cannot run on this cluster even when alone; None when it can."""
    need, count = spec.resources, spec.replicas_min
    times = f" ({count} replicas)" if count > 1 else ""
    if need.gpus:
        if not cluster.gpus:
            return f"{spec.name} needs {need.gpus * count} GPU(s){times}; this cluster has none"
        of_kind = [n for n in cluster.nodes if n.gpus and _kind(n, need.accelerator_type)]
        if not of_kind:
            kinds = sorted({n.accelerator_type or "unknown" for n in cluster.nodes if n.gpus})
            return f"{spec.name} needs {need.accelerator_type} GPUs; this cluster has {', '.join(kinds)}"
        enough = [n for n in of_kind if _roomy(n, need.gpu_memory_gb)]
        if not enough:
            best = max(n.gpu_memory_gb or 0 for n in of_kind)
            return f"{spec.name} needs GPUs of {need.gpu_memory_gb:g} GB; the largest here has {best:g} GB"
        have = sum(n.gpus for n in enough)
        if have + EPSILON < need.gpus * count:
            size = f" of {need.gpu_memory_gb:g} GB" if need.gpu_memory_gb else ""
            return f"{spec.name} needs {need.gpus * count} GPUs{size}{times}; this cluster has {have:g}"
    if _Room(cluster).take(spec):
        return None
    have_cpus = cluster.cpus - cluster.reserve_cpus
    return (
        f"{spec.name} needs {need.cpus * count:g} CPU(s)"
        + (f" and {need.memory_gb * count:g} GB of memory" if need.memory_gb else "")
        + f"{times}; this cluster has {max(have_cpus, 0):g} CPU(s) beside the browsers'"
    )


def waves(specs: Sequence[DeploymentSpec], cluster: ClusterResources) -> list[list[str]]:
    """Names of models, grouped so that each group fits at once.

    The largest go first, and each later model joins the first wave that still has room; the order within equal
    sizes is the given one, so the same plan always has the same waves. Raises `UsageError` naming every model that
    fits nowhere.
    """
    impossible = [why for s in specs if (why := misfit(s, cluster))]
    if impossible:
        raise UsageError(
            "; ".join(impossible)
            + ". Join a larger cluster (executor.address=…), lower the needs in conf/deployment/, "
            "or point serving=external serving.base_url=… at a server that hosts the model."
        )
    rooms: list[_Room] = []
    out: list[list[str]] = []
    for spec in sorted(specs, key=lambda s: (-s.resources.gpus * s.replicas_min, -s.resources.cpus * s.replicas_min)):
        for room, names in zip(rooms, out, strict=True):
            if room.take(spec):
                names.append(spec.name)
                break
        else:
            room = _Room(cluster)
            room.take(spec)
            rooms.append(room)
            out.append([spec.name])
    return out


def cpus_taken(specs: Sequence[DeploymentSpec], cluster: ClusterResources) -> float:
    """CPUs that these models take when they are up together with all replicas that autoscaling may add and the GPUs
    carry."""
    total = 0.0
    for spec in specs:
        need, count = spec.resources, spec.replicas_max
        if need.gpus:
            count = max(spec.replicas_min, min(count, int((cluster.gpus + EPSILON) // need.gpus)))
        total += need.cpus * count
    return total


class _Room:
    """What is still free on each node of a cluster."""

    def __init__(self, cluster: ClusterResources):
        self._nodes = cluster.nodes
        self._cpus = [n.cpus for n in cluster.nodes]
        self._gpus = [n.gpus for n in cluster.nodes]
        self._memory = [n.memory_gb for n in cluster.nodes]
        reserve = cluster.reserve_cpus  # browsers need no GPU: they go to the nodes with the fewest
        for i in sorted(range(len(self._cpus)), key=lambda i: self._gpus[i]):
            taken = min(reserve, self._cpus[i])
            self._cpus[i] -= taken
            reserve -= taken

    def take(self, spec: DeploymentSpec) -> bool:
        """Reserve all minimal replicas of a model, or nothing."""
        before = (list(self._cpus), list(self._gpus), list(self._memory))
        for _ in range(spec.replicas_min):
            if not self._replica(spec):
                self._cpus, self._gpus, self._memory = before
                return False
        return True

    def _replica(self, spec: DeploymentSpec) -> bool:
        need = spec.resources
        able = [
            i
            for i, n in enumerate(self._nodes)
            if self._cpus[i] + EPSILON >= need.cpus
            and (not need.gpus or (_kind(n, need.accelerator_type) and _roomy(n, need.gpu_memory_gb)))
            and self._has_memory(i, need.memory_gb)
        ]
        tight = sorted((i for i in able if self._gpus[i] + EPSILON >= need.gpus), key=lambda i: self._gpus[i])
        if tight:
            self._use(tight[0], need.gpus, need.cpus, need.memory_gb)
            return True
        if not need.gpus or sum(self._gpus[i] for i in able) + EPSILON < need.gpus:
            return False
        left, first = need.gpus, True
        for i in sorted(able, key=lambda i: -self._gpus[i]):
            part = min(left, int(self._gpus[i] + EPSILON))
            if part:
                self._use(i, part, need.cpus if first else 0, need.memory_gb if first else 0)
                left, first = left - part, False
        return left == 0

    def _has_memory(self, node: int, gb: float) -> bool:
        free = self._memory[node]
        return free is None or free + EPSILON >= gb

    def _use(self, node: int, gpus: float, cpus: float, memory_gb: float) -> None:
        self._gpus[node] -= gpus
        self._cpus[node] -= cpus
        free = self._memory[node]
        if free is not None:
            self._memory[node] = free - memory_gb


def _kind(node: Node, wanted: str | None) -> bool:
    return wanted is None or node.accelerator_type == wanted


def _roomy(node: Node, gb: float) -> bool:
    return node.gpu_memory_gb is None or node.gpu_memory_gb + EPSILON >= gb
