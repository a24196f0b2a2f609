#!/usr/bin/env bash
# Plays `experiment=demo` beside a page that shows its games, and verifies the run; then lets a small model play from
# pixels. `make demo` calls it.
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

echo "A model of 0.24 million parameters plays two games from their pixels; \`make sprout\` trains it."
sprout=(model=openai-compatible model.name=sprout model.model_id=sprout model.base_url=null
  model.provider=scripts.sprout_play.Sprout model.sampling.temperature=0.5)
.venv/bin/python launch.py name=demo-pixels "game=[07_chrome-dino,28_temple-run-2]" task=5 game_defaults=[] \
  "observation.views=[front,previous]" model.semantic_format=json tracking.mode=disabled executor.actors=2 \
  "cells=[\"model=random\",\"${sprout[*]}\"]"
.venv/bin/gwray verify runs/demo-pixels
