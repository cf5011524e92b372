# Everything a newcomer needs. `make` alone lists it.
PYTHON ?= python3
export VIRTUAL_ENV := $(CURDIR)/.venv
PYTHON_OF := .venv/bin/python
RUN := $(PYTHON_OF) -W ignore::RuntimeWarning manage.py

.DEFAULT_GOAL := help
.PHONY: help demo up test check bench css clean

help:  ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: .venv/.base  ## Start everything with a season of games and logins to try (PORT=8000)
	@$(PYTHON_OF) manage.py up --demo

up: .venv/.base  ## Start everything, empty the first time (PORT=8000)
	@$(PYTHON_OF) manage.py up

test: .venv/.dev  ## Run all tests: in parallel, then those that drive a browser
	$(PYTHON_OF) -m pytest --numprocesses 4 -m "not browser"
	$(PYTHON_OF) -m pytest -m browser

check: .venv/.dev  ## Check style, types, the import law, migrations and templates
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports --no-cache
	$(RUN) makemigrations --check --dry-run
	.venv/bin/djlint --quiet --lint templates
	.venv/bin/hadolint docker/Dockerfile

bench: .venv/.base .venv/.bench  ## Measure side by side with other programs
	$(PYTHON_OF) -m bench

css: node_modules/.package-lock.json  ## Build the stylesheet, fonts and scripts again (needs Node)
	npm run build

clean:  ## Remove what can be made again; var/ with its data stays
	rm -rf .venv node_modules static-root htmlcov .coverage* .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp a set of packages: the second run installs nothing.
.venv/.%: requirements/%.txt .venv/.made
	@echo "Installing requirements/$*.txt …"
	@.venv/bin/uv pip install --quiet --require-hashes --requirement $< 2>/dev/null \
		|| $(PYTHON_OF) -m pip install --quiet --require-hashes --requirement $<
	@touch $@

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Cups Up needs Python 3.11 or newer; $(PYTHON) is not. Say which: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv .venv || { \
		echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv"; exit 1; }
	@$(PYTHON_OF) -m pip install --quiet uv || echo "No uv to be had: installing with pip, which takes longer."
	@touch $@

node_modules/.package-lock.json: package-lock.json
	npm ci --no-audit --no-fund
