# Lanternwell. `make` alone lists the targets.
PYTHON ?= python3

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---- environments -------------------------------------------------------------------------------

venv := .venv
bin := $(venv)/bin

define make_venv
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Lanternwell needs Python 3.11 or later (have: $$($(PYTHON) --version 2>&1)); name one with PYTHON=..." >&2; exit 1; }
@echo "installing $(2) into $(1)"
@test -x $(1)/bin/python || $(PYTHON) -m venv $(1)
@$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $(2)
@touch $@
endef

$(venv)/.installed: requirements/dev.txt
	$(call make_venv,$(venv),$<)

.PHONY: install
install: $(venv)/.installed ## Install the pinned tools and libraries into .venv

.PHONY: lock
lock: $(venv)/.installed ## Pin requirements/*.in anew, with hashes (needs uv)
	cd requirements && for name in runtime dev cloud sam; do \
	  without=; test $$name != runtime || without="--no-emit-package botocore --no-emit-package python-dateutil --no-emit-package six --no-emit-package urllib3"; \
	  uv pip compile --no-config --quiet --universal --python-version 3.11 --generate-hashes \
	    --custom-compile-command "make lock" $$without -o $$name.txt $$name.in || exit 1; \
	done

.local/cloud-venv/.installed: requirements/cloud.txt
	$(call make_venv,.local/cloud-venv,$<)

.local/sam-venv/.installed: requirements/sam.txt
	$(call make_venv,.local/sam-venv,$<)
