"""Prints the results of an offline sweep from W&B's files alone: SR and PG of each cell with 95 % intervals,
and mean ± SD over repeats.

    python scripts/wandb_table.py runs/my-sweep/wandb
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from wandb.proto.wandb_internal_pb2 import Record

BLOCK, HEADER = 32 * 1024, 7


def records(data: bytes) -> list[bytes]:
    """Returns the protobuf messages of a `.wandb` file, which is a LevelDB log."""
    assert data[:4] == b":W&B", "not a file of W&B's client"
    at, parts, found = HEADER, b"", []
    while at + HEADER <= len(data):
        if BLOCK - at % BLOCK < HEADER:
            at += BLOCK - at % BLOCK
            continue
        size, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]
        if kind == 0:
            break
        parts += data[at + HEADER : at + HEADER + size]
        at += HEADER + size
        if kind in (1, 4):  # full, last
            found.append(parts)
            parts = b""
    return found


def read(file: Path) -> dict[str, Any]:
    """Returns name, config and summary of a run."""
    found: dict[str, Any] = {"name": "", "config": {}, "summary": {}}
    for record in map(Record.FromString, records(file.read_bytes())):
        if record.HasField("run"):
            found["name"] = record.run.display_name
            found["config"] |= {item.key: json.loads(item.value_json) for item in record.run.config.update}
        elif record.HasField("summary"):
            update = record.summary.update
            found["summary"] |= {i.key or "/".join(i.nested_key): json.loads(i.value_json) for i in update}
    return found


def row(config: dict[str, Any], summary: dict[str, Any]) -> list[str]:
    """Returns a cell's row, as `gwray results --by cell` shows it, and mean ± SD over repeats in percent."""
    words = [
        config.get("label") or config["model"],
        config["interface"],
        *(f"{k}={v}" for k, v in sorted(config.get("axes", {}).items())),
    ]
    out = [" · ".join(words)]
    for score in ("sr", "pg"):
        value = summary.get(f"{score}/overall")
        text = "–" if value is None else f"{100 * value:.0f}"
        kind = "overall" if f"{score}/overall/low" in summary else "again"
        low, high = (summary.get(f"{score}/{kind}/{end}") for end in ("low", "high"))
        out.append(text if low is None else f"{text} [{100 * low:.0f}–{100 * high:.0f}]")
        mean, sd = (summary.get(f"rerun/{score}/{name}") for name in ("mean", "sd"))
        out.append("–" if mean is None else f"{100 * mean:.1f} ± {100 * sd:.1f}")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the sweep's wandb/ folder")
    files = sorted(parser.parse_args().folder.glob("offline-run-*/*.wandb"))
    if not files:
        print("no offline runs here: give the wandb/ folder of a run directory", file=sys.stderr)
        return 2
    rows = [["cell", "SR %", "mean ± SD of repeats", "PG %", "mean ± SD of repeats"]]
    rows += [row(run["config"], run["summary"]) for run in map(read, files)]
    for cells in rows:
        print("| " + " | ".join(cells) + " |")
        if cells is rows[0]:
            print("|" + " --- |" * len(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
