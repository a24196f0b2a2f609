"""Sets the environment variables that Ray Serve and the engine read when their modules are imported. They must be set
in this process before `ray.serve` is imported, in Serve's controller when it starts (its proxies inherit them), and in
the replicas. Imports neither Ray nor an engine."""

import os
import socket

from gwray.serving.engine_process import ENGINE_VARIABLE
from gwray.serving.profile import DeploymentSpec

DIRECT = {
    # HAProxy in front, and requests straight from it into the engine's own server: without this, every reply passes
    # through two more Python processes.
    "RAY_SERVE_ENABLE_HA_PROXY": "1",
    "RAY_SERVE_LLM_ENABLE_DIRECT_STREAMING": "1",
    # While an engine is being restarted its requests wait for it, instead of failing after 5 s.
    "RAY_SERVE_HAPROXY_INGRESS_REQUEST_ROUTER_TIMEOUT_S": "600",
    # A model is only taken down when its episodes have ended: no traffic has to drain.
    "RAY_SERVE_DIRECT_INGRESS_MIN_DRAINING_PERIOD_S": "1",
}
PATIENT = {
    # On a machine that is busy, Serve's proxies need longer than the few seconds after which it would replace them.
    "RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "30",
    "RAY_SERVE_PROXY_HEALTH_CHECK_TIMEOUT_S": "60",
}
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    # Written bytecode turns 115 s of engine start into 25 s; some containers switch it off.
    "PYTHONDONTWRITEBYTECODE": "",
}
PASSED_ON = (
    "HF_HOME",
    "HF_HUB_CACHE",
    "HF_TOKEN",
    "HF_TOKEN_PATH",
    "HF_ENDPOINT",
    "HF_HUB_OFFLINE",
    "VLLM_CACHE_ROOT",
    "XDG_CACHE_HOME",
)


def ray_environment() -> dict[str, str]:
    """Sets the variables of Ray Serve in this process and returns them, for Serve's controller. Call it before
    `ray.serve` is imported."""
    # Free ports for HAProxy's own pages: two runs would collide on its fixed ones.
    ports = {name: os.environ.get(name) or str(free_port()) for name in _PORT_NAMES}
    variables = QUIET | PATIENT | DIRECT | ports
    for name, value in variables.items():
        if value:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)
    return variables


def engine_environment(spec: DeploymentSpec, *, offline: bool) -> dict[str, str]:
    """Returns the variables of one model's engine processes, on any node."""
    variables = {k: os.environ[k] for k in PASSED_ON if k in os.environ} | QUIET | {ENGINE_VARIABLE: "1"}
    variables |= {k: os.environ[k] for k in (*DIRECT, *_PORT_NAMES) if k in os.environ}
    if offline:
        variables["HF_HUB_OFFLINE"] = "1"
    return variables | spec.env


_PORT_NAMES = ("RAY_SERVE_HAPROXY_METRICS_PORT", "RAY_SERVE_HAPROXY_STATS_PORT")


def is_free(port: int) -> bool:
    """Returns whether no process listens on this TCP port."""
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port whose listener has just ended is free
        try:
            s.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """Returns a TCP port on which no process listens now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]
