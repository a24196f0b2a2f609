#!/usr/bin/env bash
# gwray on a Slurm cluster: one sweep as one job, which brings its own Ray and takes it down again. From a checkout with its
# environment, on a file system that all nodes share (`make setup`, its browser there too: PLAYWRIGHT_BROWSERS_PATH):
#   sbatch --nodes=4 --gpus-per-node=1 deploy/slurm.sh -m model=qwen2.5-vl-7b game=all task=all name=first
# What follows the script are the settings of `python launch.py`; those of #SBATCH below give way to the command line's.
# The same settings go on with an interrupted run. A job whose time is nearly over ends its command in order and queues
# itself again; so does, at any moment, `scancel --batch --signal=USR1 JOB`. Preempted and requeued jobs go on too.
#SBATCH --job-name=gwray
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
# A node that dies takes no other with it: its episodes go on elsewhere.
#SBATCH --no-kill
set -euo pipefail

PATH=$PWD/.venv/bin:$PATH
# Others who are on these nodes or reach them do not use this Ray without its token, which is of this job alone.
RAY_AUTH_TOKEN=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
export PATH RAY_AUTH_TOKEN RAY_AUTH_MODE=token RAY_USAGE_STATS_ENABLED=0
ulimit -n "$(ulimit -Hn)"

steps=() driver='' again='' code=0
trap 'again=yes; ${driver:+kill -TERM "$driver"}' USR1
trap : TERM  # Slurm sends it to every process of the job, so the command ends in order by itself
trap 'kill "${steps[@]}" 2>/dev/null || true; wait' EXIT
step() {  # NODES OPTION… : a node of Ray on each of so many nodes, with all that the job has there
  srun --quiet --nodes="$1" --ntasks="$1" --no-kill --kill-on-bad-exit=0 --cpu-bind=none \
    "${@:2}" --block --log-style=pretty >/dev/null &
  steps+=($!)
}

head=$(python -c 'import ray.util; print(ray.util.get_node_ip_address())'):6379
step 1 --nodelist="$SLURMD_NODENAME" ray start --head --port=6379 --include-dashboard=false
until ray health-check --address="$head" >/dev/null 2>&1; do
  kill -0 "${steps[0]}"  # and end here if it has ended
  sleep 1
done
if [ "$SLURM_NNODES" -gt 1 ]; then
  step $((SLURM_NNODES - 1)) --exclude="$SLURMD_NODENAME" ray start --address="$head"
fi
# What is placed when a sweep begins (models) needs all nodes. One that has not come in two minutes may join later.
python - "$head" "$SLURM_NNODES" <<'END'
import sys, time, ray
end = time.monotonic() + 120
while time.monotonic() < end:
    try:
        ray.init(sys.argv[1], ignore_reinit_error=True, log_to_driver=False, logging_level="ERROR")
        if len(ray.nodes()) >= int(sys.argv[2]):
            break
    except ConnectionError:  # the head answers before there is a node on its machine
        pass
    time.sleep(1)
END

python launch.py "$@" executor.address="$head" &
driver=$!
[ -z "$again" ] || kill -TERM "$driver"
wait "$driver" || code=$?
while kill -0 "$driver" 2>/dev/null; do wait "$driver" || code=$?; done  # a signal ends a wait
if [ -n "$again" ] && [ "$code" != 0 ]; then scontrol requeue "$SLURM_JOB_ID"; fi
exit "$code"
