#!/usr/bin/env bash
# Makes .venv-train: gwray with TRL, PEFT, Ray Train and OpenEnv, on PyTorch for CPUs. Running it again does only what
# is missing. PyTorch's CPU wheels are not on the general package index: wheels in a local folder are found through
# UV_FIND_LINKS or PIP_FIND_LINKS; without these, set GWRAY_TORCH_INDEX to the address of PyTorch's CPU index.
set -euo pipefail
cd "$(dirname "$0")/.."
unset PYTHONDONTWRITEBYTECODE
python=${GWRAY_PYTHON:-$(command -v python3.11 || true)}
[ -n "$python" ] || { echo "The training environment is pinned for Python 3.11 and none was found. Install it, or name" \
  "it: GWRAY_PYTHON=/path/to/python3.11 make setup-train" >&2; exit 1; }
wanted=$(cat requirements/train.txt pyproject.toml "$0" | cksum)
[ "$(cat .venv-train/.gwray-train 2>/dev/null)" != "$wanted" ] || exit 0
export UV_FIND_LINKS=${UV_FIND_LINKS:-${PIP_FIND_LINKS:-}}
[ -z "$UV_FIND_LINKS" ] || export PIP_FIND_LINKS=$UV_FIND_LINKS
uv=.venv/bin/uv
[ -x .venv-train/bin/python ] || "$uv" venv --quiet --python "$python" .venv-train
install() {  # uv is quicker; pip knows a user's own mirrors and folders, so it is the second try
  local index=()
  [ -z "${GWRAY_TORCH_INDEX:-}" ] || index=(--extra-index-url "$GWRAY_TORCH_INDEX")
  "$uv" pip install --system-certs --quiet --no-deps "${index[@]}" --index-strategy unsafe-best-match \
    --python .venv-train/bin/python "$@" && return
  .venv-train/bin/python -m ensurepip > /dev/null &&
    .venv-train/bin/python -m pip install --quiet --disable-pip-version-check --no-deps "${index[@]}" "$@"
}
# The file is a complete closure, so nothing is resolved here.
install -r requirements/train.txt || { echo "If torch==…+cpu was not found: set GWRAY_TORCH_INDEX to PyTorch's CPU index," \
  "or UV_FIND_LINKS to a folder that has the wheel. If the network failed: run it again." >&2; exit 1; }
install --editable .
.venv-train/bin/python -c 'import gwray, peft, torch, trl; print("training ready: torch", torch.__version__, "trl", trl.__version__)'
echo "$wanted" > .venv-train/.gwray-train
