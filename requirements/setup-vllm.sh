#!/usr/bin/env bash
# Makes .venv-vllm: the real vLLM engine for machines without a GPU. What it does is in setup_vllm.py.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"  # uv, when make setup has put it there
python=${GWRAY_PYTHON:-$(command -v python3.11 || true)}
[ -n "$python" ] || { echo "The CPU engine needs Python 3.11 (its wheels are built for it) and none was found." \
  "Install it, or name it: GWRAY_PYTHON=/path/to/python3.11 make setup-vllm" >&2; exit 1; }
exec "$python" requirements/setup_vllm.py "$@"
