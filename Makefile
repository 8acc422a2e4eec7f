# Needs Python 3.11 or newer and make; `make lock` alone needs uv.

PYTHON ?= python3
PYTHONS ?= python3.11 python3.12 python3.13
VENV ?= .venv
BIN := $(VENV)/bin
NODE_BIN := tools/clients/node_modules/.bin
DEPLOYED ?= image nginx_proxy prometheus_scrape litestream systemd_unit
COUNTERPARTS ?= npm_smpp kannel_smpp kannel_gateway
ARGS ?=
# Many tests wait for processes and deadlines, so run two per core; one of them begins with those tests (tests/conftest.py).
JOBS ?= $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))' 2>/dev/null)
# Stores sync every commit, and tests mostly wait for the disk. So use memory if there is enough of it.
MEMORY := $(shell $(PYTHON) -c 'import shutil; print("/dev/shm" if shutil.disk_usage("/dev/shm").free > 8 << 30 else "")' 2>/dev/null)
UV ?= uv
LOCK := $(UV) pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-header --quiet

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start hundreds of processes, and each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run mailbox openapi client test test-all suite check lint types layers clients docs clients-node clients-node-packages counterparts counterparts-packages image litestream-package browser-packages coverage test-browser screenshots test-oracle test-syscalls bench events reference lock audit clean
.DELETE_ON_ERROR:

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/requirements.installed ## Start the service with a sandbox account (ARGS="--port 9000" adds flags)
	$(BIN)/watchword serve --sandbox $(ARGS)

mailbox: $(VENV)/requirements-dev.installed ## Print the mail that comes to 127.0.0.1:1025 (ARGS="-l 127.0.0.1:2525" moves it)
	@echo "Mail is printed here as it comes, until Ctrl-C."
	$(BIN)/python -u -m aiosmtpd --nosetuid $(or $(ARGS),-l 127.0.0.1:1025)

openapi: $(VENV)/requirements-dev.installed ## Assemble the description of the HTTP interface
	$(BIN)/python -m tools.openapi

client: $(VENV)/requirements-dev.installed ## Write the blocking client of watchword.client from the asynchronous one
	$(BIN)/python -m tools.blocking_client

# In parallel: checking types takes one core for half a minute, while many tests wait.
test: ## Run everything that CI checks
	$(MAKE) --no-print-directory -j2 check suite
	@$(BIN)/python -m tests.browser.chromium

# A version manager's shim can exist without its Python, so run it to find out.
test-all: ## Run the tests on every supported Python that is installed, each in its own environment
	@missing=; tested=; \
	for python in $(PYTHONS); do \
		if $$python -c '' 2>/dev/null; then \
			echo "$$python:"; \
			$(MAKE) --no-print-directory suite PYTHON=$$python VENV=.venv-$${python#python} || exit; \
			tested="$$tested $$python"; \
		else \
			missing="$$missing $$python"; \
		fi; \
	done; \
	echo "Tested on:$${tested:- nothing}."; \
	test -z "$$missing" || echo "Not found, so not tested:$$missing."; \
	test -n "$$tested"

suite: $(VENV)/requirements-dev.installed
	$(if $(MEMORY),TMPDIR=$(MEMORY) )$(BIN)/pytest -n $(JOBS) --dist worksteal $(ARGS)

check: lint types layers ## Lint, types and layers, without the tests

lint: $(VENV)/requirements-dev.installed ## Check form and lint rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/requirements-dev.installed ## Check types
	$(BIN)/mypy

layers: $(VENV)/requirements-dev.installed ## Check which layer imports what
	$(BIN)/lint-imports --no-logo

# The generators have a separate environment, because no other lock contains their dependencies.
clients: $(VENV)/requirements-dev.installed $(VENV)-clients.stamp ## Generate Python clients of the interface, and use one
	$(BIN)/python -m tools.clients $(abspath $(VENV)-clients/bin/python)

$(VENV)-%.stamp: requirements-%.lock
	$(PYTHON) -m venv $(VENV)-$*
	$(VENV)-$*/bin/python -m pip install --quiet --require-hashes -r $<
	@touch $@

# Zensical, too, has a separate environment.
docs: $(VENV)/requirements-dev.installed $(VENV)-docs.stamp ## Build the site of the documentation in build/site, and check it
	$(BIN)/python -m tools.site $(abspath $(VENV)-docs/bin/zensical)

clients-node: clients-node-packages $(VENV)/requirements-dev.installed ## Build and try the TypeScript client, and lint the interface's description (needs Node 20 and npm)
	$(BIN)/python -m tools.clients.typescript
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true $(NODE_BIN)/redocly lint --format=stylish entrypoints/http/openapi.json

clients-node-packages: tools/clients/node_modules/.package-lock.json

tools/%/node_modules/.package-lock.json: tools/%/package-lock.json
	npm ci --prefix tools/$* --no-audit --no-fund --silent

# CI leaves out what it cannot install.
counterparts: $(if $(filter npm_%,$(COUNTERPARTS)),counterparts-packages) $(VENV)/requirements-dev.installed ## Send and hear by SMSCs and gateways of others (needs npm and Kannel)
	$(if $(MEMORY),TMPDIR=$(MEMORY) )$(BIN)/pytest $(COUNTERPARTS:%=tests/counterparts/%.py) $(ARGS)

counterparts-packages: tools/counterparts/node_modules/.package-lock.json

# CI leaves out what it cannot install. Namespaces and other users need folders outside of pytest's own memory.
image: $(if $(filter litestream,$(DEPLOYED)),litestream-package) $(VENV)/requirements-dev.installed ## Build the image and try the recipes of deploy/ (needs root and Debian's packages)
	WATCHWORD_LITESTREAM=$(VENV)-litestream/bin/litestream $(BIN)/pytest $(DEPLOYED:%=tests/deploy/%.py) $(ARGS)

litestream-package: $(VENV)-litestream/bin/litestream

$(VENV)-litestream/bin/litestream: tests/deploy/litestream.lock
	$(PYTHON) -m venv $(VENV)-litestream
	$(VENV)-litestream/bin/python -m pip install --quiet --require-hashes --no-deps -r $<
	@touch $@

coverage: $(VENV)/requirements-dev.installed ## Run the tests and show the lines that no test reached
	$(if $(MEMORY),TMPDIR=$(MEMORY) )$(BIN)/pytest -n $(JOBS) --dist worksteal --cov $(ARGS)

# What npm cannot fetch is left out: the tests that need axe-core are skipped then.
test-browser: $(VENV)/requirements-dev.installed ## Walk the console in a real browser (needs Chromium; npm for axe-core)
	@$(MAKE) --no-print-directory browser-packages >/dev/null 2>&1 || echo "Not run: checks by axe-core, which npm could not fetch."
	$(if $(MEMORY),TMPDIR=$(MEMORY) )$(BIN)/pytest $(sort $(wildcard tests/browser/walk_*.py)) $(ARGS)

screenshots: $(VENV)/requirements-dev.installed ## Write docs/how-to/console/*.png, a picture of each page of the console (needs Chromium)
	$(if $(MEMORY),TMPDIR=$(MEMORY) )$(BIN)/python -m tests.browser.screenshots

browser-packages: tools/browser/node_modules/.package-lock.json

test-oracle: $(VENV)/requirements-dev.installed ## Check trees, proofs and notes with Go's checksum database (needs Go)
	$(BIN)/pytest tests/oracle/go_sumdb.py $(ARGS)

test-syscalls: $(VENV)/requirements-dev.installed ## Watch the system calls of 100 acknowledgements (needs strace)
	$(BIN)/pytest -s tests/crash/trace_syscalls.py $(ARGS)

bench: $(VENV)/requirements-dev.installed ## Measure
	$(BIN)/python -m benchmarks $(ARGS)

events: $(VENV)/requirements-dev.installed ## Write docs/reference/events.md from the event classes
	$(BIN)/python -m tools.event_catalogue

reference: events ## Write the generated pages of docs/reference
	$(BIN)/python -m tools.reference

# Each lock is complete, so that one `-r` installs it, and uses the versions of the locks before it.
lock: ## Write all locks again (ARGS=--upgrade moves to the newest versions)
	$(LOCK) $(ARGS) pyproject.toml --output-file requirements.lock
	$(LOCK) $(ARGS) pyproject.toml --extra postgres --constraint requirements.lock \
		--output-file requirements-postgres.lock
	$(LOCK) $(ARGS) pyproject.toml --extra otel --constraint requirements-postgres.lock \
		--output-file requirements-otel.lock
	$(LOCK) $(ARGS) pyproject.toml --all-extras --constraint requirements-postgres.lock \
		--constraint requirements-otel.lock --output-file requirements-dev.lock
	$(LOCK) $(ARGS) --group build --constraint requirements-dev.lock --output-file requirements-build.lock
	$(LOCK) $(ARGS) --group clients --constraint requirements-dev.lock --output-file requirements-clients.lock
	$(LOCK) $(ARGS) --group docs --constraint requirements-dev.lock --output-file requirements-docs.lock

audit: $(VENV)/requirements-dev.installed ## Query known vulnerabilities of the locks; fails without an answer
	$(BIN)/python -m tools.audit_locks $(ARGS)

clean: ## Remove the environment, caches and builds; var/ stays
	rm -rf $(VENV) $(VENV)-litestream $(VENV)-clients* $(VENV)-docs* .venv-3* tools/*/node_modules build dist .coverage .coverage.* htmlcov .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# venv installs pip last, so an interrupted environment has no pip and is created again.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Watchword needs Python 3.11 or newer, which '$(PYTHON)' is not: name another, as in 'make $(firstword $(MAKECMDGOALS)) PYTHON=python3.12'." >&2; \
		exit 1; }
	$(PYTHON) -m venv $(VENV)

# The build tools come first: their pip takes half the time of Python 3.11's own for the rest.
$(VENV)/%.stamp: %.lock requirements-build.lock | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-build.lock
	$(BIN)/python -m pip install --quiet --require-hashes -r $<
	@touch $@

$(VENV)/%.installed: $(VENV)/%.stamp pyproject.toml
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

.PRECIOUS: $(VENV)/%.stamp
