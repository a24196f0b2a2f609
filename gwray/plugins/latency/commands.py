"""`gwray latency`."""

from pathlib import Path
from typing import Annotated

import typer


def latency(
    words: Annotated[list[str], typer.Argument(help="Settings of the measured cells, as for gwray run.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="File of the table; its other cells are kept.")],
    in_flight: Annotated[str, typer.Option("--in-flight", help="Concurrent requests, one pass each.")] = "1,2,3,4,5",
    machine: Annotated[str, typer.Option(help="Server hardware, such as '8 x H100'; default: this machine.")] = "",
) -> None:
    """Measure how long models take to answer, each alone, for timing=realtime timing.latency=table:FILE.

    Plays the cells paused, one model after the other, once for each number of requests in flight. The same command
    again resumes. Charging a table makes real time independent of the machine's load.

    Example: gwray latency model=qwen3-vl-30b-a3b game=level:2 task=1 -o latencies.json
    """
    from gwray.plugins.latency.passes import measure_latency

    raise typer.Exit(measure_latency(words, in_flight, out, machine))
