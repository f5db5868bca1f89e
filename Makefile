# Every target sets itself up from a clean checkout; only Python 3.11+ and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST_ARGS ?=
# Tests start the program hundreds of times: without its bytecode each start compiles it again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
# A gate that is piped must still fail.
SHELL := bash
.SHELLFLAGS := -o pipefail -c
.PHONY: help demo test test-offline test-real check format lint types contracts fix golden docs docs-check bench fuzz lock clean cluster-up cluster-down

help:  ## say what the targets do
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/:/' | column -t -s:

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "sickbay needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

demo: $(READY)  ## diagnose three shipped incidents
	$(BIN)/sickbay demo

# What is made for real (clusters, an appliance in network namespaces) mostly waits for clocks of its
# own: it runs beside the rest, which steps back for it, two files side by side, each with a world of
# its own. It is skipped with the reason where the machine cannot have it.
REAL := tests/cluster/test_cluster.py tests/cluster/test_node_faults.py tests/cluster/test_cluster_faults.py tests/cluster/test_trouble.py tests/cluster/test_rights.py \
	tests/cluster/aso tests/appliance/test_appliance_faults.py
REAL_LOG := $(VENV)/real.log

test: $(READY)  ## all tests
	@$(MAKE) --no-print-directory -j2 test-offline test-real

test-offline: $(READY)
	nice -n 10 $(BIN)/python -m pytest -n auto --dist worksteal --ignore=tests/cluster --ignore=tests/appliance/test_appliance_faults.py $(PYTEST_ARGS)

# Two reports at once cannot be read: this one is shown when it is whole.
test-real: $(READY)
	@$(BIN)/python -m pytest -n 2 --dist loadfile -p no:randomly $(REAL) $(PYTEST_ARGS) > $(REAL_LOG) 2>&1; status=$$?; cat $(REAL_LOG); exit $$status

check: format lint types contracts docs-check test  ## everything that must be green before a commit

format: $(READY)
	$(BIN)/ruff format --check --quiet .

lint: $(READY)
	$(BIN)/ruff check --quiet .
	$(BIN)/typos --format brief
	$(BIN)/deptry src --no-ansi 2>&1 | tail -1

types: $(READY)
	$(BIN)/mypy --no-error-summary

contracts: $(READY)
	$(BIN)/lint-imports --no-cache | tail -n 3

fix: $(READY)  ## format, and repair what can be repaired
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .

golden: $(READY)  ## write the expected reports of the incidents anew (read the diff)
	SICKBAY_WRITE_GOLDEN=1 $(BIN)/python -m pytest tests/test_incidents.py -p no:randomly

docs: $(READY)  ## generate the pages of the rules, the command reference and the schema
	$(BIN)/python docs/generate.py

docs-check: $(READY)
	$(BIN)/python docs/generate.py --check

bench: $(READY)  ## measure against the baselines; prints ratios
	$(BIN)/python bench/run.py

fuzz: $(READY)  ## fuzz the readers and the unwrapping for a minute
	$(BIN)/python tests/fuzz/run.py --seconds 60

cluster-up: $(READY)  ## a real Kubernetes on this machine (Linux, root; built when it is not cached)
	$(BIN)/python -m tests.cluster up

cluster-down: $(READY)  ## take it away again
	$(BIN)/python -m tests.cluster down

lock:  ## resolve the dependencies anew
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --generate-hashes --no-header --no-annotate --python-version 3.11 -o requirements.lock --quiet --upgrade

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/data
