# gwray: `make demo` plays and verifies, `make test` checks. Both set up what they need.
PY := .venv/bin/python
PYTEST = GWRAY_TEST_RUN=$@ $(PY) -m pytest --durations=10
PARALLEL := -n $(shell expr $$(nproc) + 1) --dist worksteal
FOLDER ?=
WHOLE ?=
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo learn sprout docs test test-slow test-all test-cluster test-vllm test-train lint setup setup-dev setup-vllm setup-train requirements clean

help:            ## this list
	@grep -hE '^[a-z-]+: .*##|^[a-z-]+:  *##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

setup:           ## .venv, pinned packages, a browser
	@bash scripts/setup.sh core

setup-dev:       ## the same with provider SDKs, tests, lint and types
	@bash scripts/setup.sh all

setup-vllm:      ## .venv-vllm with the real vLLM engine for CPUs
	@bash requirements/setup-vllm.sh

setup-train: setup ## .venv-train with TRL, PEFT, Ray Train and OpenEnv, on the CPU
	@bash requirements/setup-train.sh

demo: setup      ## play in real browsers, print scores, verify every step
	@bash scripts/demo.sh

learn: setup-train setup-vllm  ## train a small model on scripted play, serve it with vLLM, let it play unseen seeds, verify
	@bash scripts/learn.sh

sprout: setup-train  ## train a small network on the pixels of several games, let it play unseen seeds beside a blind one, verify
	@bash scripts/sprout.sh

lint: setup-dev  ## ruff and pyright
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/pyright

ifeq ($(FOLDER),)
test: setup-dev lint  ## lint, types and all quick tests; FOLDER=agents: only the quick tests of tests/agents
	$(PYTEST) $(PARALLEL) -m "not slow and not vllm and not train and not cluster"
else
test: setup-dev
	$(PYTEST) $(PARALLEL) -m "not slow and not vllm and not train and not cluster" tests/$(FOLDER)
endif

test-slow: setup-dev  ## slow tests, with a sample of the large test matrices
	$(PYTEST) $(PARALLEL) --timeout 900 -m "slow and not vllm and not train and not whole"

test-all: setup-dev  ## all quick and slow tests, with the complete matrices
	$(PYTEST) $(PARALLEL) --timeout 900 -m "not vllm and not train and not cluster"

test-cluster: setup-dev  ## a cluster of three nodes, broken in several ways; needs root, otherwise skipped; WHOLE=1: all cases
	$(PYTEST) -rs --timeout 900 tests/cluster -m "cluster$(if $(WHOLE),, and not whole)"

test-vllm: setup-vllm  ## the real engine on the CPU, with a tiny model; WHOLE=1: also the cases that .ci/run leaves out
	GWRAY_TEST_RUN=$@ .venv-vllm/bin/python -m pytest --durations=10 --timeout 1200 tests/serving -m "vllm$(if $(WHOLE),, and not whole)"

test-train: setup-train setup-vllm  ## training and its environments, with tiny models on the CPU, and make learn on one game
	GWRAY_TEST_RUN=$@ OMP_NUM_THREADS=1 .venv-train/bin/python -m pytest --durations=10 tests/plugins/training tests/plugins/openenv -m train

docs: setup-dev  ## the documentation as a site, in build/site; `.venv/bin/mkdocs serve` shows it
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet

requirements:    ## pin the newest versions that pyproject.toml allows
	@bash scripts/pin.sh

clean:           ## remove everything the targets set up; runs/ stays
	rm -rf .venv .venv-vllm .venv-train .cache .pytest_cache .ruff_cache build *.egg-info
