# gwray: `make demo` plays and verifies, `make test` checks. Both set up what they need.
PY := .venv/bin/python
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo docs test test-slow test-cluster test-vllm lint setup setup-dev setup-vllm requirements clean

help:            ## this list
	@grep -hE '^[a-z-]+: .*##|^[a-z-]+:  *##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

setup:           ## .venv, pinned packages, a browser
	@bash scripts/setup.sh core

setup-dev:       ## the same with provider SDKs, tests, lint and types
	@bash scripts/setup.sh all

setup-vllm:      ## .venv-vllm with the real vLLM engine for CPUs
	@bash requirements/setup-vllm.sh

demo: setup      ## play four games in real browsers, print scores, verify every step
	$(PY) launch.py experiment=demo
	.venv/bin/gwray verify runs/demo

lint: setup-dev  ## ruff and pyright
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/pyright

test: setup-dev lint  ## lint, types and all quick tests
	$(PY) -m pytest --durations=10 -n 2 --dist worksteal -m "not slow and not vllm and not cluster"

test-slow: setup-dev  ## tests that take longer
	$(PY) -m pytest --durations=10 -n 2 --dist worksteal --timeout 900 -m "slow and not vllm and not whole"

test-cluster: setup-dev  ## three hosts, each broken once; as root, or it is skipped
	$(PY) -m pytest --durations=15 -rs --timeout 900 tests/cluster -m cluster

test-vllm: setup-vllm  ## the real engine on the CPU, with a tiny model
	.venv-vllm/bin/python -m pytest --durations=10 --timeout 1200 tests/serving -m vllm

docs: setup-dev  ## the documentation as a site, in build/site; `.venv/bin/mkdocs serve` shows it
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet

requirements:    ## pin the newest versions that pyproject.toml allows
	@bash scripts/pin.sh

clean:           ## remove what the commands set up; runs/ stays, its replies were paid for
	rm -rf .venv .venv-vllm .cache .pytest_cache .ruff_cache build *.egg-info
