#!/usr/bin/env bash
# A model that learns several games from their pixels, without a GPU: scripted and random players play, the scripted
# players label what was seen, a small network is trained, plays itself, and is trained again on its own moments (DAgger).
# Then it plays seeds that it has not seen, beside the random player and itself with screenshots of other moments.
# `make sprout` calls it. Needs .venv and .venv-train.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
export OMP_NUM_THREADS=1
out=${SPROUT_DIR:-./runs/sprout} repeats=${SPROUT_REPEATS:-8} tests=${SPROUT_TESTS:-10} rounds=${SPROUT_ROUNDS:-2}
games=${SPROUT_GAMES:-15_google-snake,07_chrome-dino,26_run-3,28_temple-run-2,05_breakout,21_ns-shaft}
common=("game=[$games]" task=5 "observation.views=[front,previous]" game_defaults=[] seed_policy=per_repeat
  model.semantic_format=json executor=inline executor.lanes=4 tracking.mode=disabled)
sprout=(model=openai-compatible model.name=sprout model.model_id=sprout model.base_url=null
  model.provider=scripts.sprout_play.Sprout model.sampling.temperature=0.5)
mkdir -p "$out"
log() { echo "[$SECONDS s] $*"; }
trap 'tail -n 20 "$out/log"; log "not finished: $out/log has all of it; the same command resumes"' ERR
play() {  # a run: its progress here, everything in the log
  .venv/bin/python launch.py "${common[@]}" "$@" 2>&1 | tee -aip "$out/log" | { grep --line-buffered " in flight" || true; }
}
learn() {  # RUN WEIGHTS: labels its moments, and trains on all that was labelled; what is there already is kept
  log "dataset and training: $1"
  data+=("$out/$1-data")
  [ -e "$out/$1-data/dataset.json" ] || .venv/bin/gwray dataset "$out/$1" -o "$out/$1-data" --label expert --keep 0 --executor inline --lanes 4
  [ -e "$out/$2" ] || .venv-train/bin/python scripts/sprout.py "$out/$2" "${data[@]}"
}

data=()
log "play: scripted and random"
play -m model=scripted,random seed=1 "repeats=$repeats" "run_dir=$out/play"
learn play 0.safetensors
for round in $(seq "$rounds"); do
  log "play: sprout, round $round"
  play "${sprout[@]}" "model.options.weights=$out/$((round - 1)).safetensors" "seed=1$round" "repeats=$repeats" \
    "run_dir=$out/round$round"
  learn "round$round" "$round.safetensors"
done
sprout+=("model.options.weights=$out/$rounds.safetensors")
log "test"
play seed=7 "repeats=$tests" "run_dir=$out/test" \
  "cells=[\"model=random\",\"${sprout[*]}\",\"${sprout[*]} model.label=blind model.options.blind=$out/play-data\"]"
.venv/bin/gwray results "$out/test"
log "verify"
.venv/bin/gwray verify "$out/test"
log "done"
