#!/usr/bin/env bash
# A model that learns to play, without a GPU: scripted players play, a text model of under a million parameters is trained
# on their play from random weights, the real engine serves it, and it plays seeds and a scenario that it has not seen,
# beside its untrained self and the random player. `make learn` calls it. Needs .venv, .venv-train and .venv-vllm.
set -euo pipefail
cd "$(dirname "$0")/.."
unset PYTHONDONTWRITEBYTECODE
export OMP_NUM_THREADS=1  # two threads wait for each other on a busy machine, and the model is small
out=${LEARN_DIR:-./runs/learn} repeats=${LEARN_REPEATS:-20} tests=${LEARN_TESTS:-10} steps=${LEARN_STEPS:-400}
games=${LEARN_GAMES:-p03_thirteen-days}
common=("game=[$games]" task=all observation=text game_defaults=[] model.semantic_format=json seed_policy=per_repeat
  limit.steps=100 tracking.mode=disabled)
mkdir -p "$out"
log() { echo "[$SECONDS s] $*"; }

log "play: the scripted player, and the random one, whose states the expert answers too"
.venv/bin/python launch.py -m model=scripted,random "${common[@]}" scenario=seen seed=1 "repeats=$repeats" \
  "run_dir=$out/play" > "$out/log" 2>&1
log "dataset"
.venv/bin/gwray dataset "$out/play" -o "$out/data" --label expert --keep 0 --hold-out scenario=unseen
log "train"
.venv-train/bin/gwray train learn "$out/data" "max_steps=$steps" -o "$out/model" 2>> "$out/log"
log "play with vLLM: other seeds, and a scenario that no sample has"
model="model=learner deployment.model_source=$out/model"
.venv-vllm/bin/python launch.py "${common[@]}" seed=2 "repeats=$tests" "run_dir=$out/test" \
  "cells=[\"model=random\",\"$model\",\"$model/untrained\"]" >> "$out/log" 2>&1
.venv/bin/gwray results "$out/test"
log "verify"
.venv/bin/gwray verify "$out/test"
log "done"
