# One command sets up and demonstrates, one sets up and tests. `make help` lists them all.
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help
# Old versions use what newer versions of their own dependencies call deprecated.
LOWEST := -n auto --dist worksteal -W ignore::DeprecationWarning

.PHONY: help demo test test-all test-lowest bench lint types imports unit compiled slow package clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: .venv/installed  ## a league on the papers' stream, or on a file: make demo DATA="ratings.csv --target stars"
	@mkdir -p build
	RANKTRON_PATIENCE=0 $(BIN)/ranktron compare $(or $(DATA),synthetic) --report build/league.html

test: lint types imports unit compiled package  ## everything that must hold

test-all: test slow  ## the same, and what takes minutes or gigabytes

test-lowest: build/lowest/installed  ## the tests with the oldest versions that pyproject.toml allows
	NUMBA_DISABLE_JIT=1 build/lowest/bin/pytest $(LOWEST) -m "not compiled and not slow" --doctest-modules src tests docs README.md
	build/lowest/bin/pytest $(LOWEST) -m "compiled and not slow"

bench: .venv/benched  ## compare speed and quality with the peers, into docs/benchmarks.md
	$(BIN)/python -m benchmarks

lint: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/tested
	$(BIN)/mypy

imports: .venv/tested
	$(BIN)/lint-imports

unit: .venv/tested  # interpreted: quick, and coverage sees every line of every rule
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n auto --dist worksteal -m "not compiled and not wide and not slow" --doctest-modules --cov --cov-report=term --cov-fail-under=95 src tests
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n auto --dist worksteal -m "wide and not compiled and not slow" tests docs README.md

compiled: .venv/tested
	$(BIN)/pytest -n auto --dist worksteal -m "compiled and not slow"

slow: .venv/tested
	$(BIN)/pytest -m slow

package: .venv/tested  # what users get: built, installed where nothing else is, and used
	rm -rf build/package && mkdir -p build/package
	$(BIN)/python -m build --outdir build/package . > build/package/log 2>&1 || (cat build/package/log; false)
	$(PYTHON) -m venv build/package/venv
	build/package/venv/bin/python -m pip install -q --disable-pip-version-check build/package/*.whl
	cd build/package && venv/bin/python ../../tests/use_package.py
	build/package/venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --force-reinstall build/package/*.tar.gz
	cd build/package && venv/bin/python ../../tests/use_package.py

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[tables]"
	@touch $@

.venv/tested: .venv/installed
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[test]"
	@touch $@

build/lowest/installed: pyproject.toml
	$(PYTHON) -m venv --clear build/lowest
	build/lowest/bin/python -m pip install -q --disable-pip-version-check uv
	build/lowest/bin/uv pip install -q --python build/lowest/bin/python --resolution lowest-direct -e ".[test]"
	@touch $@

.venv/benched: .venv/installed
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[bench]"
	@touch $@

clean:  ## delete everything that was made here
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
