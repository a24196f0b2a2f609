"""An event loop in virtual time."""

import asyncio


class VirtualLoop(asyncio.SelectorEventLoop):
    """Its clock jumps to the next timer: hours of waiting in milliseconds. What would run in a thread runs at once."""

    _now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self._now = max(self._now, self._scheduled[0]._when)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]

    def run_in_executor(self, executor, func, *args):
        done = self.create_future()
        done.set_result(func(*args))
        return done
