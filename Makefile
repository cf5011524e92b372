# Everything a newcomer needs. `make` alone lists it.
PYTHON ?= python3
export VIRTUAL_ENV := $(CURDIR)/.venv
PYTHON_OF := .venv/bin/python
RUN := $(PYTHON_OF) -W ignore::RuntimeWarning manage.py
# Images of Python often forbid it to keep what it compiles: then each of our processes would begin two seconds later.
unexport PYTHONDONTWRITEBYTECODE

LOCK := .venv/bin/uv pip compile $(UPGRADE) --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url
CATALOGUES := $(patsubst league/locale/%,--locale %,$(wildcard league/locale/*)) \
	--ignore .venv --ignore node_modules --ignore var --ignore static-root

CHECKS := types-checked style-checked imports-checked migrations-checked templates-checked image-checked
OF_SQL := tests/games tests/league/core/log tests/league/standings tests/league/test_sql.py \
	tests/league/test_indexes.py tests/league/test_migrations.py
SCRIPT_CHECKS := scripts-formatted scripts-typed scripts-tested

.DEFAULT_GOAL := help
.PHONY: help demo up test oldest check coverage format messages rules lock bench css scripts sbom notices clean
.PHONY: $(CHECKS) $(SCRIPT_CHECKS)

help:  ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: .venv/.base  ## Start everything with a season of games and logins to try (PORT=8000; HOST=0.0.0.0 for phones)
	@$(PYTHON_OF) manage.py up --demo

up: .venv/.base  ## Start everything, empty the first time (PORT=8000; HOST=0.0.0.0 for phones, HTTPS=1)
	@$(PYTHON_OF) manage.py up

test: .venv/.dev  ## Run all tests
	$(PYTHON_OF) -m pytest --numprocesses auto

oldest: .venv/.dev  ## Run the tests of SQL on PostgreSQL 16, the oldest that is welcome
	POSTGRES=16 $(PYTHON_OF) -m pytest --numprocesses auto -m "not browser" $(OF_SQL)

check: .venv/.dev  ## Check style, types, the import law, migrations and templates
	@$(MAKE) --no-print-directory --keep-going --jobs 3 $(CHECKS)

types-checked:
	.venv/bin/mypy

style-checked:
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

imports-checked:
	.venv/bin/lint-imports --no-cache

migrations-checked:
	$(RUN) makemigrations --check --dry-run

templates-checked:
	.venv/bin/djlint --quiet --lint templates

image-checked:
	.venv/bin/hadolint docker/Dockerfile

coverage: .venv/.dev  ## Run the tests with coverage: all of the engine, and of the rest no less than before
	$(PYTHON_OF) -m pytest --numprocesses auto -m "not browser" --cov --cov-report= --cov-fail-under=0
	.venv/bin/coverage html --quiet
	.venv/bin/coverage report --include='engine/*' --fail-under=100 --skip-covered
	.venv/bin/coverage report --skip-covered

format: .venv/.dev  ## Format the code, and mend what ruff can mend
	.venv/bin/ruff check --fix-only .
	.venv/bin/ruff format .

messages: .venv/.base  ## Bring the catalogues of all languages up to date, and compile them (needs gettext)
	@for tool in xgettext msgmerge msgfmt; do command -v $$tool >/dev/null || { \
		echo "$$tool of GNU gettext is missing; on Debian: apt-get install gettext"; exit 1; }; done
	$(RUN) makemessages $(CATALOGUES) --no-location --no-obsolete --ignore tests --ignore bench
	$(RUN) compilemessages $(CATALOGUES)

rules: .venv/.base  ## Write the data of the rules for the sheet in a browser again
	$(PYTHON_OF) -m engine.sheet.browser >league/static/league/rules.json

lock: .venv/.made  ## Lock the packages anew within the ranges of pyproject.toml (UPGRADE=--upgrade takes newer ones)
	$(LOCK) pyproject.toml --extra embedded --output-file requirements/base.txt
	$(LOCK) pyproject.toml --extra sentry --output-file requirements/service.txt
	$(LOCK) pyproject.toml --extra embedded --extra sentry --extra test --extra check --output-file requirements/dev.txt
	$(LOCK) pyproject.toml --extra embedded --extra bench --output-file requirements/bench.txt
	$(LOCK) --group install --output-file requirements/install.txt
	$(LOCK) --group sbom --output-file requirements/sbom.txt

bench: .venv/.base .venv/.bench  ## Measure side by side with other programs
	$(PYTHON_OF) -m bench

css: node_modules/.package-lock.json  ## Build the stylesheet, fonts and scripts again (needs Node)
	npm run build

scripts: node_modules/.package-lock.json  ## Check the scripts of pages: their format, types and tests (needs Node 18 or newer)
	@$(MAKE) --no-print-directory --keep-going $(SCRIPT_CHECKS)

scripts-formatted:
	npm run --silent format-checked

scripts-typed:
	npm run --silent types

scripts-tested:
	npm test --silent

sbom: .venv/.sbom  ## Write what the service is made of to sbom/, as CycloneDX (needs Node)
	mkdir -p sbom
	.venv/bin/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible \
		--output-file sbom/python.json requirements/service.txt
	npm sbom --package-lock-only --sbom-format cyclonedx >sbom/node.json

notices: .venv/.dev  ## Write all that the service is made of, with its licences, to THIRD_PARTY.md
	$(PYTHON_OF) requirements/notices.py

clean:  ## Remove what can be made again; var/ with its data stays
	rm -rf .venv node_modules static-root sbom htmlcov .coverage* .mypy_cache .pytest_cache tests/engine/.pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp a set of packages: the second run installs nothing.
.venv/.%: requirements/%.txt .venv/.made
	@echo "Installing requirements/$*.txt …"
	@.venv/bin/uv pip install --quiet --require-hashes --requirement $< 2>/dev/null \
		|| $(PYTHON_OF) -m pip install --quiet --require-hashes --requirement $<
	@touch $@

.venv/.made: requirements/install.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Cups Up needs Python 3.11 or newer; $(PYTHON) is not. Say which: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv .venv || { \
		echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv"; exit 1; }
	@$(PYTHON_OF) -m pip install --quiet --require-hashes --requirement $< || echo "No uv to be had: installing with pip, which takes longer."
	@touch $@

node_modules/.package-lock.json: package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
