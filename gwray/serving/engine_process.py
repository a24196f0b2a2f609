"""Ends an engine together with the replica that started it. vLLM's engine and its workers are separate processes. A
replica that is killed cannot end them: they would keep running and hold the GPU's memory. vLLM calls `exit_with_parent`
in each of its processes, through an entry point of `vllm.general_plugins`."""

import multiprocessing
import os
import signal
import threading

ENGINE_VARIABLE = "GWRAY_ENGINE"
"""Environment variable that `engine_environment` sets in engines that gwray deployed."""


def exit_with_parent() -> None:
    """Kills this process as soon as its parent has ended. Does nothing outside of engines that gwray deployed."""
    parent = multiprocessing.parent_process()
    if parent is None or ENGINE_VARIABLE not in os.environ:
        return
    threading.Thread(target=_kill_after, args=(parent,), name="gwray-exit-with-parent", daemon=True).start()


def _kill_after(parent) -> None:
    parent.join()  # returns when the parent's end of the pipe closes, however the parent ended
    os.kill(os.getpid(), signal.SIGKILL)
