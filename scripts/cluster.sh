#!/usr/bin/env bash
# Runs a cluster of several nodes on one machine, with its runs in S3: for demonstrations and tests of node failures.
#   scripts/cluster.sh up [HOST …]       start three nodes (alpha beta gamma), or these; the first one is the head
#   scripts/cluster.sh on HOST COMMAND   run a command on a node: scripts/cluster.sh on beta gwray results s3://runs/demo
#   scripts/cluster.sh kill HOST         kill a node and all of its processes
#   scripts/cluster.sh join HOST [bare]  start another node (delta, epsilon), or a killed one; bare: without Ray
#   scripts/cluster.sh join HOST HOST    start it as the head node of its own cluster
#   scripts/cluster.sh demo              run a sweep on three nodes, kill one, complete the run, verify it on a fourth
#   scripts/cluster.sh down              stop everything, including leftovers of a killed command
#   scripts/cluster.sh able              print why this machine cannot run it, if so
# A node is a network namespace with its own address, processes, /tmp and /dev/shm. It sees the rest of the file system
# read-only, so nodes share only this checkout and the S3 server. Needs Linux and root.
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
state=${GWRAY_CLUSTER:-/tmp/gwray-cluster}
net=10.77.0
store=http://$net.254:5000
declare -A last=([alpha]=1 [beta]=2 [gamma]=3 [delta]=4 [epsilon]=5)

say() { printf '\033[1m%s\033[0m\n' "$*"; }
fail() { printf '%s\n' "$@" >&2; exit 1; }
unset RAY_ADDRESS RAY_AUTH_MODE RAY_AUTH_TOKEN RAY_AUTH_TOKEN_PATH  # of another Ray: hosts have no token

settings() {  # environment of every process on a node
  printf '%s\n' PATH="$repository/.venv/bin:$PATH" HOME=/tmp AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any \
    AWS_DEFAULT_REGION=us-east-1 AWS_ENDPOINT_URL="$store" RAY_USAGE_STATS_ENABLED=0 PYTHONDONTWRITEBYTECODE= \
    ${GWRAY_CLUSTER_SETTINGS:-}  # further NAME=VALUE …
}

able() {
  [ "$(id -u)" = 0 ] || fail "Nodes are network namespaces, which need root: run this as root."
  command -v ip unshare nsenter >/dev/null || fail "ip, unshare or nsenter is missing: apt-get install iproute2 util-linux"
  ip netns add "gwray-try-$$" 2>/dev/null || fail "This kernel or container does not allow network namespaces."
  ip netns delete "gwray-try-$$"
  unshare --mount --uts --ipc --pid --fork true 2>/dev/null || fail "This container does not allow unshare."
  .venv/bin/python -c 'import s3fs, moto.server' 2>/dev/null || fail "The S3 server is not installed: make setup-dev"
}

until_so() {  # SECONDS WHAT COMMAND…: wait until the command succeeds
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "$what did not happen. The logs are in $state."
    sleep 0.5
  done
}

up() {
  [ ! -e /run/netns/gwray-hub ] && mkdir "$state" 2>/dev/null ||
    fail "A cluster is already running, or was left by a killed command: scripts/cluster.sh down"
  trap down EXIT
  ip netns add gwray-hub
  ip -n gwray-hub link set lo up
  ip -n gwray-hub link add hub type bridge
  ip -n gwray-hub addr add $net.254/24 dev hub
  ip -n gwray-hub link set hub up
  ip netns exec gwray-hub setsid .venv/bin/python -m moto.server -H $net.254 -p 5000 >"$state/s3.log" 2>&1 </dev/null &
  local first=$1 hosts=$* address=$net.${last[$1]}:6379
  # Hosts cannot write to the checkout, so each would compile Ray again at each start, for longer than Ray waits.
  env $(settings) python -c 'import compileall, ray; compileall.compile_dir(ray.__path__[0], quiet=2, workers=0)'
  join "$first"
  shift
  local joining=()
  for host in "$@"; do join "$host" & joining+=($!); done
  for one in "${joining[@]}"; do wait "$one"; done
  until_so 90 "the first answer of the S3 server" on "$first" python -c 'import s3fs; s3fs.S3FileSystem().mkdir("runs")'
  trap - EXIT
  say "hosts: $hosts ($address), runs in s3://runs ($store)"
}

join() {  # HOST: start it, with a node of Ray unless a second word says `bare`; HOST again: its own head
  local host=$1 head
  head=$(head -n 1 "$state/hosts" 2>/dev/null || echo "$host")
  ip netns add "gwray-$host"
  ip -n gwray-hub link add "$host" type veth peer name eth0 netns "gwray-$host"
  ip -n gwray-hub link set "$host" master hub up
  ip -n "gwray-$host" link set lo up
  ip -n "gwray-$host" addr add "$net.${last[$host]}/24" dev eth0
  ip -n "gwray-$host" link set eth0 up
  grep -qx "$host" "$state/hosts" 2>/dev/null || echo "$host" >>"$state/hosts"  # the first one stays the head
  mkdir -p "$state/$host"
  setsid ip netns exec "gwray-$host" unshare --mount --uts --ipc --pid --fork --kill-child --mount-proc \
    bash scripts/cluster.sh live "$host" "${2:-$head}" >"$state/$host.log" 2>&1 </dev/null &
  echo $! >"$state/$host.pid"
  until_so 180 "the start of $host" on "$host" test -e /tmp/there
}

live() {  # HOST HEAD|bare: what its first process does, inside
  hostname "$1"
  mount -t tmpfs -o size=1g tmpfs "$state/$1"
  case $repository in /tmp/*)  # it must still be seen
    mkdir -p "$state/$1/${repository#/tmp/}"
    mount --bind "$repository" "$state/$1/${repository#/tmp/}" ;;
  esac
  mount --move "$state/$1" /tmp
  mount -t tmpfs tmpfs /dev/shm
  mount --bind "$repository" "$repository"
  for place in "$repository" /; do mount -o remount,bind,ro "$place" || echo "$place stays writable"; done
  cd /tmp
  local start=(--head --port 6379 --include-dashboard false)
  [ "$2" = "$1" ] || start=(--address "$net.${last[$2]:-0}:6379")
  start+=(--num-cpus 1 --object-store-memory 80000000 --node-ip-address "$net.${last[$1]}" --disable-usage-stats)
  # On a machine that is too busy, Ray does not start within its own 30 s.
  local up=no
  [ "$2" != bare ] || up=yes
  for _ in 1 2 3; do
    [ $up = no ] || break
    if env $(settings) ray start "${start[@]}"; then up=yes; else env $(settings) ray stop --force; fi
  done
  [ $up = yes ] || fail "Ray did not start on $1."
  touch /tmp/there
  sleep infinity
}

inside() {  # the process number of a host's first process, as it is seen from here; none if the host is not there
  local outer
  outer=$(cat "$state/$1.pid")
  ip netns pids "gwray-$1" | grep -qx "$outer" || return 0  # its number may be another's by now
  pgrep -P "$outer" | head -n 1
}

on() {  # HOST COMMAND…
  local host=$1
  shift
  nsenter --target "$(inside "$host")" --all --wd=/tmp env $(settings) "$@"
}

kill_host() { kill -KILL "$(inside "$1")"; }

again() {  # HOST [bare|HEAD]: start it, and first clear what is left of it
  ip netns delete "gwray-$1" 2>/dev/null || true
  ip -n gwray-hub link delete "$1" 2>/dev/null || true  # it is there for as long as the last process over there dies
  join "$@"
}

demo() {
  local address=$net.${last[alpha]}:6379 began=$SECONDS
  up alpha beta gamma
  trap down EXIT
  say "A sweep plays on all of them ($((SECONDS - began)) s)"
  local words=(model=scripted game=32_wordle,19_minesweeper task=all repeats="${GWRAY_DEMO_REPEATS:-4}"
    executor=ray executor.address="$address" executor.lanes=2 tracking.mode=disabled run_dir=s3://runs/demo)
  on alpha python "$repository/launch.py" "${words[@]}" >"$state/driver.log" 2>&1 &
  local driver=$!
  until_so 180 "an episode on each host" played_by 3
  kill_host gamma
  say "gamma is dead ($((SECONDS - began)) s)"
  on beta gwray results s3://runs/demo
  wait $driver || { cat "$state/driver.log"; fail "the run did not end complete"; }
  say "The run is complete ($((SECONDS - began)) s)"
  on beta gwray results s3://runs/demo
  join delta bare
  say "delta, which played none of it, verifies the run"
  on delta gwray verify s3://runs/demo --executor inline
  say "Done ($((SECONDS - began)) s)"
}

played_by() {  # NUMBER: whether so many hosts have finished an episode
  on beta gwray results s3://runs/demo --format json >"$state/results.json" &&
    .venv/bin/python -c 'import json, sys
hosts = {e["machine"] for e in json.load(open(sys.argv[1])) if e["status"] == "finished"}
sys.exit(len(hosts) < int(sys.argv[2]))' "$state/results.json" "$1"
}

down() {
  local ended=$? name
  [ "$ended" = 0 ] || tail -n 5 "$state"/*.log >&2 2>/dev/null || true
  for name in "${!last[@]}" hub; do
    ip netns pids "gwray-$name" 2>/dev/null | xargs -r kill -KILL 2>/dev/null || true
    ip netns delete "gwray-$name" 2>/dev/null || true
  done
  rm -rf "$state"
}

case ${1:-} in
  up) shift; able; if [ $# = 0 ]; then set -- alpha beta gamma; fi; up "$@" ;;
  on) shift; on "$@" ;;
  kill) kill_host "$2" ;;
  join) shift; again "$@" ;;
  demo) able; demo ;;
  down) down ;;
  able) able ;;
  live) live "$2" "$3" ;;
  *) sed -n '2,12s/^# \?//p' "$0"; exit 2 ;;
esac
