#!/usr/bin/env bash
# Plays `experiment=demo` beside a page that shows its games, and verifies the run. `make demo` calls it.
set -euo pipefail
cd "$(dirname "$0")/.."

show() {
  until [ -e runs/demo/run.json ]; do sleep 0.2; done
  exec .venv/bin/gwray view runs/demo --no-open > >(sed -u 's/^\(http[^ ]*\).*/Watch the games: \1/')
}

show &
trap 'kill $! 2>/dev/null || true' EXIT
.venv/bin/python launch.py experiment=demo
.venv/bin/gwray verify runs/demo
