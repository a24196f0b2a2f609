#!/usr/bin/env bash
# Sets up the environment of `make demo` and `make test`: .venv with the pinned packages, gwray itself, and a browser.
#   scripts/setup.sh core   what `make demo` needs
#   scripts/setup.sh all    also the provider SDKs, tests, lint and types
# Does nothing if it has been done. Needs git, make and Python 3.11, 3.12 or 3.13 with venv.
set -euo pipefail
cd "$(dirname "$0")/.."
which=${1:-core}
unset PYTHONDONTWRITEBYTECODE  # compiled modules make later starts faster

say() { printf '\033[1m%s\033[0m\n' "$*"; }
fail() { printf '%s\n' "$@" >&2; exit 1; }

find_python() {
  for candidate in "${GWRAY_PYTHON:-}" python3.11 python3.12 python3.13 python3; do
    [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 || continue
    "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && { command -v "$candidate"; return; }
  done
  return 1
}

case $PWD in
  *[[:space:]\'\"\\\$\&\(\)\<\>\;\|\*\?\`]*) fail "Ray cannot start workers from '$PWD': the path contains a space or a shell character." \
    "Move the checkout to a path without them and run the command again." ;;
esac

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import pip' 2>/dev/null; then
  missing=()
  python=$(find_python) || missing+=(python3 python3-venv)
  if [ -n "${python:-}" ] && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    missing+=("$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')")
  fi
  if [ ${#missing[@]} -gt 0 ]; then
    for program in git make; do command -v $program >/dev/null || missing+=($program); done
    sudo=sudo\ ; [ "$(id -u)" != 0 ] || sudo=
    fail "Missing on this machine: ${missing[*]}. Install with:" \
      "  ${sudo}apt-get update && ${sudo}apt-get install -y ${missing[*]}" \
      "or name another Python 3.11, 3.12 or 3.13: GWRAY_PYTHON=/path/to/python3.11 make demo"
  fi
  say "Creating .venv with $python"
  "$python" -m venv .venv || { rm -rf .venv; fail "$python could not create .venv; see above."; }
fi

requirements=requirements/$which.txt
stamp=.venv/.gwray-$which
wanted=$(cat "$requirements" pyproject.toml | cksum)
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
  say "Installing $requirements"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check uv
  # uv is faster; pip also reads the user's own mirrors and certificates, so it is the fallback.
  .venv/bin/uv pip install --quiet --system-certs --python .venv/bin/python -r "$requirements" 2>/dev/null ||
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$requirements"
  .venv/bin/uv pip install --quiet --system-certs --python .venv/bin/python --no-deps --editable . 2>/dev/null ||
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
  echo "$wanted" > "$stamp"
  [ "$which" = all ] && cat requirements/core.txt pyproject.toml | cksum > .venv/.gwray-core
fi

.venv/bin/python scripts/browser.py
