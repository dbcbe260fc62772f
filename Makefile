# Headway: two commands do everything, `make play` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= london
PIP := $(BIN)/pip --quiet --disable-pip-version-check
# Every file comes with its hash in the lock; nothing is built, because that needs tools without one.
# Python compiles modules when they are imported: to compile all of them here takes 20 s.
INSTALL = $(PIP) install --require-hashes --no-deps --only-binary :all: --no-compile
EDITABLE = $(PIP) install --no-deps --no-build-isolation --editable .
LOCK = $(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	| $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command 'make lock' $(LOCK_OPTIONS) pyproject.toml -
# Scripts of npm must find the Node that comes as a Python package; a machine may have no other.
NPM = PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm --prefix client
CLIENT := $(shell find client -type f -not -path '*/node_modules/*')

# Tests wait for browsers and servers a third of their time: four workers keep two cores busy.
WORKERS := $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 2 )))

# The tests start hundreds of processes: each would compile our modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play terminal client test check check-python check-client client-lint client-types client-tests compile browsers pictures subpath examples bench release lock update clean

help: ## Show these commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

play: $(VENV)/ready-to-play ## Install what is missing, start the server and open the browser
	@$(BIN)/headway serve --open

terminal: $(VENV)/ready-to-play ## Play in the terminal; GAME=tokyo for another game
	@$(BIN)/headway play $(GAME)

client: $(VENV)/ready-to-play ## Build the web client, with the Node that comes as a Python package

# Packages, services, the client and the checks are made side by side, as far as one does not need
# the other: most of them keep one core busy.
test: ## Install what tests need and run all of them
	@$(MAKE) --no-print-directory --jobs $(WORKERS) check compile
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup

check: check-python check-client ## Look at style, types and layers without running anything

check-python: $(VENV)/locked-to-test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

check-client: client-lint client-types client-tests

client-lint: $(VENV)/ready-to-play
	@$(NPM) run --silent lint

client-types: $(VENV)/ready-to-play
	@$(NPM) run --silent check

client-tests: $(VENV)/ready-to-play
	@$(NPM) run --silent test

compile: $(VENV)/ready-to-test
	@PYTHONPATH=. $(BIN)/python tests/support/compile_first.py

browsers: $(VENV)/locked-to-test $(VENV)/ready-to-play $(VENV)/browsers ## Play in Firefox and WebKit, show a notice in Chromium; installs them
	@$(BIN)/pytest tests/browser/other_browsers

pictures: $(VENV)/ready-to-test ## Take pictures of the main screens, in gallery/; a few minutes
	@$(BIN)/pytest --quiet --capture no tests/browser/gallery.py

subpath: $(VENV)/ready-to-test ## Run the browser's tests with all pages below /headway
	@BROWSER_FOLDER=/headway $(BIN)/pytest -n $(WORKERS) --dist loadgroup tests/browser

examples: $(VENV)/examples/ready ## Train and search with tiny budgets; installs torch, which is large
	@$(VENV)/examples/bin/python examples/check.py

bench: $(VENV)/ready-to-test ## Measure rules, server and page, print tables and what got worse, store bench/
	@mkdir -p bench
	@$(BIN)/python -m benchmarks --output bench/figures.json --history bench/history.jsonl
	@$(BIN)/python -m benchmarks --server --output bench/figures.json --history bench/history.jsonl
	@$(BIN)/python -m benchmarks --lobby --output bench/figures.json --history bench/history.jsonl
	@$(BIN)/python -m benchmarks --attacks --output bench/figures.json --history bench/history.jsonl
	@$(BIN)/python -m benchmarks --page --output bench/figures.json --history bench/history.jsonl
	@$(BIN)/python -m benchmarks --faults --yes --output bench/figures.json --history bench/history.jsonl
	@$(BIN)/python -m benchmarks --accounts --games bench/accounts.jsonl --output bench/figures.json --history bench/history.jsonl
	@$(BIN)/python -m benchmarks --envs --output bench/figures.json --history bench/history.jsonl

release: $(VENV)/ready-to-play ## Build the packages in dist/, twice the same bytes, check them without Node; dates the changelog
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python tests/release.py

lock: $(VENV)/ready-to-test ## Write changed dependencies into the locks, keep all other versions
	@$(LOCK) --output-file locks/play.txt
	@$(LOCK) --output-file locks/test.txt --constraint locks/play.txt --group test
	@$(NPM) install --package-lock-only --silent

update: $(VENV)/ready-to-test ## Take the newest version of every dependency and run the tests
	@$(MAKE) --no-print-directory lock LOCK_OPTIONS=--upgrade
	@rm -rf client/node_modules client/package-lock.json
	@$(NPM) install --package-lock-only --silent
	@$(MAKE) --no-print-directory test

clean: ## Remove everything that the other commands made
	rm -rf $(VENV) client/node_modules src/headway/server/static bench gallery dist .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Headway needs Python 3.11 or newer; name one with: make PYTHON=python3.12 …")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/locked-to-play: locks/play.txt | $(VENV)/bin/python
	@$(INSTALL) --requirement $<
	@touch $@

# The client is built meanwhile: it needs no more than the packages to play.
$(VENV)/locked-to-test: locks/test.txt $(VENV)/locked-to-play
	@$(INSTALL) --requirement $<
	@touch $@

# Apart from the tests' packages: torch is large, and no lock can name its CPU build for all machines.
$(VENV)/examples/ready: examples/requirements.txt $(VENV)/ready-to-test
	@$(PYTHON) -m venv $(VENV)/examples
	@$(BIN)/python -c 'import site; print("import site; site.addsitedir(%r)" % site.getsitepackages()[0])' \
		> $$($(VENV)/examples/bin/python -c 'import site; print(site.getsitepackages()[0])')/headway.pth
	@$(VENV)/examples/bin/pip --quiet --disable-pip-version-check install --requirement $<
	@touch $@

# The bots are compiled beside the client. Where that fails, the server does it.
$(VENV)/ready-to-play: $(VENV)/locked-to-play pyproject.toml hatch_build.py $(CLIENT)
	@PYTHONPATH=src $(BIN)/python -m headway bot compile & $(EDITABLE) && { wait $$! || true; }
	@touch $@

$(VENV)/services: tests/install-services | $(VENV)/bin/python
	@tests/install-services
	@touch $@

$(VENV)/browsers: tests/install-services | $(VENV)/bin/python
	@tests/install-services browsers
	@touch $@

$(VENV)/ready-to-test: $(VENV)/locked-to-test $(VENV)/ready-to-play $(VENV)/services
	@touch $@
