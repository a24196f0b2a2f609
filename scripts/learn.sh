#!/usr/bin/env bash
# A model that learns to play, without a GPU: scripted players play, a text model of under a million parameters is trained
# on their play from random weights, the real engine serves it, and it plays seeds and a scenario that it has not seen,
# beside its untrained self and the random player. With LEARN_ROUNDS it also plays in between, and learns what the experts
# would have done where it got to (DAgger). The same command resumes. `make learn` calls it. Needs the three environments.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
unset PYTHONDONTWRITEBYTECODE
export OMP_NUM_THREADS=1  # two threads wait for each other on a busy machine, and the model is small
out=${LEARN_DIR:-./runs/learn} repeats=${LEARN_REPEATS:-40} rounds=${LEARN_ROUNDS:-0} tests=${LEARN_TESTS:-12} seed=${LEARN_SEED:-10}
steps=${LEARN_STEPS:-4800} games=${LEARN_GAMES:-p02_up-and-over,p03_thirteen-days,p05_long-stair} limit=${LEARN_LIMIT:-80}
untrained=${LEARN_UNTRAINED:-1}  # repeats; its replies always have the maximum length, so they take long
[[ $out == [./]* ]] || out=./$out  # model_source=runs/x would be read as a hub id
common=("game=[$games]" "task=${LEARN_TASK:-all}" observation=text game_defaults=[] model.semantic_format=json seed_policy=per_repeat
  "limit.steps=$limit" tracking.mode=disabled)
by_game=$([[ $games == *,* ]] && echo true || echo false)  # several take turns, batch by batch
mkdir -p "$out"
log() { echo "[$SECONDS s] $*"; }
trap 'tail -n 20 "$out/log"; log "not finished: $out/log has all of it; the same command resumes"' ERR
play() {  # a run: its progress here, everything in the log
  "$@" 2>&1 | tee -aip "$out/log" | { grep --line-buffered " in flight" || true; }
}
learn() {  # NAME MODEL STEPS: a dataset of all play so far, and the model trained on it
  log "dataset $1"
  [ -e "$out/data-$1/dataset.json" ] ||
    .venv/bin/gwray dataset "${played[@]}" -o "$out/data-$1" --label expert --keep 0 --hold-out scenario=unseen
  log "train $1"
  .venv-train/bin/gwray train learn "$out/data-$1" "model=$2" "max_steps=$3" \
    "by_game=$by_game" -o "$out/model-$1" 2>> "$out/log"
  model="model=learner deployment.model_source=$out/model-$1"
}

log "play: the scripted player, and the random one, whose states the expert answers too"
play .venv/bin/python launch.py -m model=scripted,random "${common[@]}" scenario=seen seed=1 "repeats=$repeats" "run_dir=$out/play"
played=("$out/play")
learn 0 tiny:0 "$steps"
for round in $(seq "$rounds"); do
  log "play with the model: the experts answer in the states that it reaches"
  # shellcheck disable=SC2086
  play .venv-vllm/bin/python launch.py $model "${common[@]}" scenario=seen seed=3 repeats=10 "run_dir=$out/play-$round"
  played+=("$out/play-$round")
  learn "$round" "$out/model-$((round - 1))" "$((steps / 2))"
done
cells="\"model=random repeats=$tests\",\"$model model.label=trained repeats=$tests\""
[ "$untrained" = 0 ] || cells+=",\"model=learner deployment.model_source=$out/model-0/untrained model.label=untrained repeats=$untrained\""
log "play with vLLM: other seeds, and scenarios that no sample has"
play .venv-vllm/bin/python launch.py "${common[@]}" "seed=$seed" "run_dir=$out/test" "cells=[$cells]"
.venv/bin/gwray results "$out/test"
log "verify"
.venv/bin/gwray verify "$out/test"
log "done"
