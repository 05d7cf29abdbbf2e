# One command sets up and demonstrates, one sets up and tests. `make help` lists them all.
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help
# uv installs in a tenth of pip's time. Where it cannot be had, or finds no packages, pip installs.
UV = $(shell command -v uv || echo $(BIN)/uv)
pip = $(1)/bin/python -m pip install -q --disable-pip-version-check
# The tests start hundreds of processes, and a process that finds no bytecode compiles every module that it imports.
unexport PYTHONDONTWRITEBYTECODE
install = $(UV) pip install -q --compile-bytecode --python $(1)/bin/python $(2) || $(call pip,$(1)) $(2)
define new_venv
	$(PYTHON) -m venv .venv
	command -v uv > /dev/null || $(call pip,.venv) uv || true
endef
# One session has the interpreted and the compiled tests, and the examples of docstrings and of documents.
TESTS := -n auto --dist worksteal --doctest-modules src tests docs README.md

.PHONY: help demo test test-all test-lowest bench wheel format lint types imports unit all-unit package clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: .venv/installed  ## a league on the papers' stream, or on a file: make demo DATA="ratings.csv --target stars"
	@mkdir -p build
	RANKTRON_PATIENCE=0 $(BIN)/ranktron compare $(or $(DATA),synthetic) --report build/league.html

test: .venv/tested  ## everything that must hold, in about six minutes
	@$(MAKE) --no-print-directory -j2 lint types imports package
	@$(MAKE) --no-print-directory unit

test-all: lint types imports all-unit package  ## all cases of all tests, also those that take gigabytes, and the coverage

test-lowest: build/lowest/installed  ## the tests with the oldest versions that pyproject.toml allows
	build/lowest/bin/pytest -W ignore::DeprecationWarning $(TESTS)  # old versions use what their own dependencies deprecate

bench: .venv/benched  ## compare speed and quality with the peers, into docs/benchmarks.md
	$(BIN)/python -m benchmarks

wheel: .venv/tested  ## a wheel that carries compiled loops, for this kind of system, in dist/
	RANKTRON_PRECOMPILE=1 $(BIN)/python -m build --wheel

format: .venv/tested  ## format the code, and repair what can be repaired
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lint: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/tested
	$(BIN)/mypy

imports: .venv/tested
	$(BIN)/lint-imports

unit: .venv/tested
	$(BIN)/pytest $(TESTS)

all-unit: .venv/tested
	$(BIN)/pytest --all --cov --cov-report=term --cov-fail-under=95 $(TESTS)

package: .venv/tested  # what users get: a wheel made from the sdist, installed where nothing else is, and used
	rm -rf build/package && mkdir -p build/package
	$(BIN)/python -m build --outdir build/package . > build/package/log 2>&1 || (cat build/package/log; false)
	$(PYTHON) -m venv build/package/venv
	$(call install,build/package/venv,build/package/*.whl)
	cd build/package && venv/bin/python -P ../../tests/use_package.py

.venv/installed: pyproject.toml
	$(new_venv)
	$(call install,.venv,-e ".[tables]")
	@touch $@

.venv/tested: pyproject.toml
	$(new_venv)
	$(call install,.venv,-e ".[test]")
	@touch .venv/installed $@

build/lowest/installed: pyproject.toml
	$(PYTHON) -m venv --clear build/lowest
	build/lowest/bin/python -m pip install -q --disable-pip-version-check uv
	build/lowest/bin/uv pip install -q --python build/lowest/bin/python --resolution lowest-direct -e ".[test]"
	@touch $@

.venv/benched: .venv/installed
	$(call install,.venv,-e ".[bench]")
	@touch $@

clean:  ## delete everything that was made here
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
