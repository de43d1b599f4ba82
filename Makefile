# Lanternwell. `make` alone lists the targets.
PYTHON ?= python3# the interpreter (3.11 or later) that the environments are made of
PORT ?=# port on 127.0.0.1 of what is started here; empty: a free one
WORKERS ?= auto# test processes; auto: one per core
TESTS ?=# what `make test` runs beside its options, such as tests/engine or -k night
ENV ?= default# section of samconfig.toml that `make deploy` reads and writes

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

.PHONY: help
help: ## List the targets
	@echo "Lanternwell: a serverless host for matches of Werewolf"; echo
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo; echo "Variables (make run PORT=4566):"
	@awk 'BEGIN {FS = " *[?]= *|# "} /^[A-Z]+ [?]=/ {printf "  %-10s %s (now: %s)\n", $$1, $$3, $$2 == "" ? "-" : $$2}' $(MAKEFILE_LIST)

# ---- environments -------------------------------------------------------------------------------

venv := .venv
bin := $(venv)/bin

define check_python
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "Lanternwell needs Python 3.11 or later ($(PYTHON): $$($(PYTHON) --version 2>&1 | head -n 1)); name one with PYTHON=..." >&2; exit 1; }
endef

# Whoever names an interpreter is told when it cannot be used, also where nothing has to be installed.
.PHONY: named-python
named-python:
ifneq ($(origin PYTHON),file)
	$(check_python)
	@test ! -x $(bin)/python || test "$$($(bin)/python --version)" = "$$($(PYTHON) --version)" || { echo "the environments are made of $$($(bin)/python --version); to make them of $$($(PYTHON) --version), run make clean first" >&2; exit 1; }
endif

define make_venv
$(check_python)
@echo "installing $(2) into $(1)"
@test -x $(1)/bin/python || $(PYTHON) -m venv $(1)
@$(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --no-deps -r $(2)
@touch $@
endef

$(venv)/.installed: requirements/dev.txt | named-python
	$(call make_venv,$(venv),$<)

.local/cloud-venv/.installed: requirements/cloud.txt | named-python
	$(call make_venv,.local/cloud-venv,$<)

.local/sam-venv/.installed: requirements/sam.txt | named-python
	$(call make_venv,.local/sam-venv,$<)

# The local cloud and the SAM command line pin their trees exactly, so each has its own environment.
environments := $(venv)/.installed .local/cloud-venv/.installed .local/sam-venv/.installed

.PHONY: install
install: $(environments) ## Install all pinned tools and libraries into .venv and .local

.PHONY: lock
lock: $(venv)/.installed ## Pin requirements/*.in anew, with hashes (needs uv)
	cd requirements && for name in runtime dev cloud sam; do \
	  without=; test $$name != runtime || without="--no-emit-package botocore --no-emit-package python-dateutil --no-emit-package six --no-emit-package urllib3"; \
	  uv pip compile --no-config --quiet --universal --python-version 3.11 --generate-hashes \
	    --custom-compile-command "make lock" $$without -o $$name.txt $$name.in || exit 1; \
	done

# ---- see it -------------------------------------------------------------------------------------

# Runs a module as `python -m` does, but Ctrl-C while it is being imported ends it without a trace.
module := $(bin)/python -c 'import signal; signal.signal(signal.SIGINT, signal.SIG_DFL); import runpy, sys; runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)'
local := PYTHONPATH=layers/engine:client $(module) local
port := $(if $(PORT),--port $(PORT))
show := $(local) run $(port) -- $(module) lanternwell.show --http {http} --ws {ws}

.PHONY: run
run: $(venv)/.installed ## Watch a match; everything stays up until Ctrl-C
	@$(show) --stay

.PHONY: demo
demo: $(venv)/.installed ## Watch a match with short deadlines, to its end
	@$(show) --short

.PHONY: up
up: $(venv)/.installed ## Start the platform without a match, until Ctrl-C
	@$(local) up $(port)

.PHONY: cloud
cloud: $(environments) ## Deploy template.yaml to a local cloud, until Ctrl-C
	@$(local) up --cloud $(port)

# ---- check it -----------------------------------------------------------------------------------

pytest := $(bin)/python -m pytest -n $(WORKERS) --dist worksteal

.PHONY: test
test: $(environments) ## Run all tests, those on the local cloud too: before a change lands
	$(pytest) $(TESTS)

.PHONY: test-fast
test-fast: $(venv)/.installed ## Run the tests that need no local cloud: after every change
	$(pytest) -m "not e2e" $(TESTS)

.PHONY: test-long
test-long: $(environments) ## Run all tests, with five times the random examples: before a release
	LANTERNWELL_TESTS=long $(pytest) $(TESTS)

.PHONY: lint
lint: $(environments) ## Check style, types, imports between the layers, and the template
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy $(patsubst %/,%,$(dir $(wildcard layers/engine/*/__init__.py))) local client/lanternwell documents
	for function in functions/*/; do $(bin)/mypy $$function || exit 1; done
	PYTHONPATH=.:layers/engine $(bin)/lint-imports --no-cache
	SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION=eu-central-1 .local/sam-venv/bin/sam validate --lint

.PHONY: bench
bench: $(environments) ## Measure what docs/ tells of speed, calls, bytes and transitions
	@for file in benchmarks/[a-z]*.py; do echo "== $$file"; PYTHONPATH=.:layers/engine:client $(bin)/python $$file || exit 1; done

.PHONY: docs
docs: $(venv)/.installed ## Make the documents that the service serves anew
	$(bin)/python -m documents

.PHONY: lint-docs
lint-docs: ## Check the described calls and frames with Redocly's linter (needs npx, which fetches it)
	npx --yes @redocly/cli@2 lint functions/api/documents/openapi.json
	npx --yes @redocly/cli@2 lint --skip-rule security-defined functions/api/documents/asyncapi.json

.local/peers-venv/.installed: benchmarks/peers/requirements.txt
	@echo "installing $< into .local/peers-venv"
	@test -x .local/peers-venv/bin/python || $(PYTHON) -m venv .local/peers-venv
	@.local/peers-venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $<
	@touch $@

.PHONY: bench-peers
bench-peers: .local/peers-venv/.installed ## Compare the speed of arena-1 with two other environments
	PYTHONPATH=.:layers/engine .local/peers-venv/bin/python benchmarks/peers/compare.py

# ---- ship it ------------------------------------------------------------------------------------

.PHONY: build
build: .local/sam-venv/.installed ## Build the layer for Lambda (python3.13, arm64) into .aws-sam
	find functions -name __pycache__ -prune -exec rm -rf {} +
	SAM_CLI_TELEMETRY=0 .local/sam-venv/bin/sam build

.PHONY: deploy
deploy: build ## Deploy to AWS, asking for the parameters (ENV=prod keeps them apart)
	SAM_CLI_TELEMETRY=0 .local/sam-venv/bin/sam deploy --guided --config-env $(ENV)

.PHONY: clean
clean: ## Remove environments, builds and caches
	rm -rf client/build client/*.egg-info $(venv) .local .aws-sam .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
