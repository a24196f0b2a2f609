"""An engine ends with the replica that started it.

vLLM's engine and its workers are processes of their own. A replica that ends in order ends them, one that is killed
cannot: they would stay, and keep the GPU's memory. vLLM calls `share_fate` in each of its processes (an entry point of
`vllm.general_plugins`); it does something only in those of an engine that gwray deployed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading

OURS = "GWRAY_ENGINE"  # the variable that `engine_environment` sets


def share_fate() -> None:
    """End this process as soon as the one that spawned it is no more. Anywhere but in an engine of ours: nothing."""
    parent = multiprocessing.parent_process()
    if parent is None or OURS not in os.environ:
        return
    threading.Thread(target=_end_after, args=(parent,), name="gwray-fate", daemon=True).start()


def _end_after(parent) -> None:
    parent.join()  # returns when the parent's end of the pipe closes, however it ended
    os.kill(os.getpid(), signal.SIGKILL)
