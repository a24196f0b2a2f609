#!/usr/bin/env bash
# Pins the requirement files anew. No lock file: it would name the registry it was made with.
set -euo pipefail
cd "$(dirname "$0")/.."
pin() { .venv/bin/uv pip compile --quiet --no-header --no-annotate --python-version 3.11 pyproject.toml "$@"; }
pin --extra providers --extra gym --extra s3 --extra mcp --extra dev -o requirements/all.txt
pin -c requirements/all.txt -o requirements/core.txt
