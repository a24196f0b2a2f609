#!/usr/bin/env bash
# A model that learns several games from their pixels, without a GPU: scripted and random players play, the scripted
# players label what was seen, a small network is trained, plays itself, and is trained again on its own moments (DAgger).
# Then it plays seeds that it has not seen, beside the random player and itself with screenshots of other moments.
# `make sprout` calls it. Needs .venv and .venv-train.
set -euo pipefail
cd "$(dirname "$0")/.."
export OMP_NUM_THREADS=1
out=${SPROUT_DIR:-./runs/sprout} repeats=${SPROUT_REPEATS:-6} tests=${SPROUT_TESTS:-10} rounds=${SPROUT_ROUNDS:-2}
games=${SPROUT_GAMES:-15_google-snake,27_stack,05_breakout,07_chrome-dino,21_ns-shaft} port=${SPROUT_PORT:-8123}
common=("game=[$games]" task=5 "observation.views=[front,previous]" game_defaults=[] seed_policy=per_repeat
  model.semantic_format=json executor=inline executor.lanes=4 tracking.mode=disabled)
sprout="model=openai-compatible model.base_url=http://127.0.0.1:$port/v1 model.sampling.temperature=0.5 model.model_id"
mkdir -p "$out"
log() { echo "[$SECONDS s] $*"; }
play() { .venv/bin/python launch.py "${common[@]}" "$@" >> "$out/log" 2>&1; }
learn() {  # RUN: labels its moments, and trains on all that was labelled
  log "dataset and training: $1"
  .venv/bin/gwray dataset "$out/$1" -o "$out/$1-data" --label expert --keep 0 --executor inline --lanes 4
  .venv-train/bin/python scripts/sprout.py train "$out/sprout.pt" "$out"/*-data
}
serve() {
  .venv-train/bin/python scripts/sprout.py serve "$out/sprout.pt" "$port" "$@" >> "$out/log" 2>&1 & server=$!
  trap 'kill $server' EXIT
  until curl -sf "http://127.0.0.1:$port/v1/models" > /dev/null; do kill -0 $server || exit 1; sleep 1; done
}

log "play: scripted and random"
play -m model=scripted,random seed=1 "repeats=$repeats" "run_dir=$out/play"
learn play
for round in $(seq "$rounds"); do
  log "play: sprout, round $round"
  serve
  # shellcheck disable=SC2086  # settings are words
  play $sprout=sprout "seed=1$round" "repeats=$repeats" "run_dir=$out/round$round"
  kill $server; trap - EXIT
  learn "round$round"
done
log "test"
serve "$out/play-data"
play seed=7 "repeats=$tests" "run_dir=$out/test" "cells=[\"model=random\",\"$sprout=sprout\",\"$sprout=sprout-blind\"]"
.venv/bin/gwray results "$out/test"
log "verify"
.venv/bin/gwray verify "$out/test"
log "done"
