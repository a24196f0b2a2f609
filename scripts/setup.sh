#!/usr/bin/env bash
# Sets up everything the two commands need: .venv with the pinned packages, gwray itself, and a browser.
#   scripts/setup.sh core   what `make demo` needs
#   scripts/setup.sh all    also the provider SDKs, tests, lint and types
# Does nothing when it is done already. Needs Python 3.11 or newer with venv.
set -euo pipefail
cd "$(dirname "$0")/.."
which=${1:-core}
unset PYTHONDONTWRITEBYTECODE  # compiled modules are what makes later starts quick

say() { printf '\033[1m%s\033[0m\n' "$*"; }
fail() { printf '%s\n' "$@" >&2; exit 1; }

find_python() {
  for candidate in "${GWRAY_PYTHON:-}" python3.11 python3.12 python3.13 python3; do
    [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 || continue
    "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && { command -v "$candidate"; return; }
  done
  return 1
}

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import pip' 2>/dev/null; then
  python=$(find_python) || fail "gwray needs Python 3.11, 3.12 or 3.13 and found none." \
    "Install one (apt-get install python3 python3-venv) or name it: GWRAY_PYTHON=/path/to/python3.11 make demo"
  say "Making .venv with $python"
  "$python" -m venv .venv 2>/tmp/gwray-venv.$$ || {
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    cat /tmp/gwray-venv.$$ >&2; rm -rf .venv /tmp/gwray-venv.$$
    fail "Python cannot make virtual environments here. Install its venv package: apt-get install python$version-venv"
  }
  rm -f /tmp/gwray-venv.$$
fi

requirements=requirements/$which.txt
stamp=.venv/.gwray-$which
wanted=$(cat "$requirements" pyproject.toml | cksum)
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
  say "Installing $requirements"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check uv
  # uv is quicker; pip knows a user's own mirrors and certificates, so it is the second try.
  .venv/bin/uv pip install --quiet --system-certs --python .venv/bin/python -r "$requirements" 2>/dev/null ||
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$requirements"
  .venv/bin/uv pip install --quiet --system-certs --python .venv/bin/python --no-deps --editable . 2>/dev/null ||
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
  echo "$wanted" > "$stamp"
  [ "$which" = all ] && cat requirements/core.txt pyproject.toml | cksum > .venv/.gwray-core
fi

.venv/bin/python scripts/browser.py
