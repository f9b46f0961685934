# make run    installs what MedLens needs and serves it at http://localhost:8501
# make test   installs what the tests need and runs those that a person waits for
# make test-deep  runs the others: kills, memory, simulations, attacks, long walks in a browser
# make check  ruff, mypy, import-linter, and known vulnerabilities in what is installed
# make fuzz   damaged files of every kind, FUZZ=2000 of each; SEED= gives the same ones again
# make bench  the benchmarks
# make attack the attacks of SECURITY.md, with counts (SEED=7 repeats those of that seed)
# make docs   writes the generated parts of docs/ again
# make lock   pins all that is installed, with hashes, after a change to requirements.txt
# make release  builds what others install into dist/: a wheel, the source, what a container is built
#             from; VERSION=0.3.0 begins that version first
# make clean  removes the environment and caches; your data stay

VENV := .venv
PY := $(VENV)/bin/python
# A command line that runs Python 3.11 or newer; any on the PATH serves.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 \
	&& $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$p; break; }; done)
PIP := $(PY) -m pip --disable-pip-version-check --quiet
LOCKED := $(PIP) install --require-hashes

.DEFAULT_GOAL := help
.PHONY: help run test test-deep check fuzz bench attack docs lock release clean browser postgres nginx node

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

run: $(VENV)/.installed
	@$(PY) -m medlens demo --if-new
	@exec $(PY) -m medlens serve

# In the order of the folders, which has the longest files first and ends with the shortest, so that
# no processor waits for the last one (tests/conftest.py moves the one file for which that is not so).
# More workers than processors, since tests in a browser wait half of their time: one, as one of them
# has all quick tests in a browser (tests/conftest.py), and two where most tests are of that kind. To
# begin takes each as long as eighty tests. Bytecode is kept because servers are started by the dozen.
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)
WORKERS ?= $(shell echo $$(( $(PROCESSORS) + 1 )))
DEEP_WORKERS ?= $(shell echo $$(( $(PROCESSORS) + 2 )))
# Hundreds of small stores are written: where there is room for them in memory, a tenth less work.
IN_MEMORY = $(shell test -w /dev/shm && df -Pk /dev/shm \
	| awk 'NR == 2 && $$4 > 3000000 { print "TMPDIR=/dev/shm" }')
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(IN_MEMORY) $(PY) -m tests.timed -q --dist loadfile \
	--no-loadscope-reorder
test: $(VENV)/.installed-dev browser postgres node
	$(PYTEST) -n $(WORKERS) -m "not deep"

# The tests marked `deep`, with the same seeds each time; `make fuzz` and `make attack` draw new ones.
DEEP_SEED ?= 20240413
test-deep: $(VENV)/.installed-dev browser postgres nginx node
	@echo "SEED=$(DEEP_SEED)"
	SEED=$(DEEP_SEED) $(PYTEST) -n $(DEEP_WORKERS) -m deep

check: $(VENV)/.installed-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-cache --no-logo
	$(PY) -m tests.advisories requirements-dev.lock

FUZZ ?= 2000
SEED ?= $(shell date +%s)

fuzz: $(VENV)/.installed-dev
	@echo "SEED=$(SEED) FUZZ=$(FUZZ)"
	FUZZ=$(FUZZ) SEED=$(SEED) $(PY) -m pytest -q -s -n auto tests/fuzz

bench: $(VENV)/.installed-dev browser postgres
	$(PY) -m tests.bench

attack: $(VENV)/.installed-dev browser
	$(PY) -m tests.attack $(if $(SEED),--seed $(SEED))

docs: $(VENV)/.installed-dev
	$(PY) -m docs.generate

# Universal: what other systems and newer Pythons need stands in them too, behind markers.
LOCK := $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock"

lock: $(VENV)/.installed-dev
	$(LOCK) requirements.txt -o requirements.lock
	$(LOCK) requirements.txt requirements-dev.txt -c requirements.lock -o requirements-dev.lock

release: $(VENV)/.installed-dev
	$(PY) -m docs.release $(if $(VERSION),--version $(VERSION))

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache

# The stamps make a second call quick: pip runs again only when a lock has changed.
$(VENV)/.installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { \
		echo "MedLens needs Python 3.11 or newer, and none was found." >&2; \
		echo "Install one from python.org or your system, or say where: make run PYTHON=/path/to/python3" >&2; \
		exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "Python cannot make an environment. On Debian and Ubuntu: apt install python3-venv" >&2; \
		exit 1; }
	@echo "Installing what MedLens needs (once; a minute or two)..."
	@$(LOCKED) -r requirements.lock
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	@$(LOCKED) -r requirements-dev.lock
	@touch $@

# A Chromium. The bare one, without a window around its pages, halves what the tests in a browser
# take: it is installed where the system's packages have it. Else whichever is on the PATH, then the
# system's, then Playwright's own (bare too). The version is asked for because a name on the PATH may
# be a stub that only points elsewhere.
BARE = chromium-headless-shell
RUNS = runs() { for b in "$$@"; do command -v $$b >/dev/null 2>&1 && $$b --version >/dev/null 2>&1 && return 0; done; return 1; }
RUNS_CHROMIUM = runs chromium chromium-browser google-chrome $(BARE)
CAN_APT = test "$$(id -u)" = 0 && command -v apt-get >/dev/null 2>&1

browser: $(VENV)/.installed-dev
	@$(RUNS); runs $(BARE) \
	|| { $(CAN_APT) && { $(RUNS_CHROMIUM) || apt-get update -qq; } \
		&& apt-cache show $(BARE) >/dev/null 2>&1 && apt-get install -y -qq $(BARE) && runs $(BARE); } \
	|| $(RUNS_CHROMIUM) \
	|| { $(CAN_APT) && apt-get install -y -qq chromium && $(RUNS_CHROMIUM); } \
	|| $(PY) -m playwright install --only-shell chromium

# PostgreSQL's server for the tests of that store; without it they are skipped.
HAS_POSTGRES = command -v postgres >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1

postgres:
	@{ $(HAS_POSTGRES); } \
	|| { $(CAN_APT) && apt-get update -qq && apt-get install -y -qq postgresql; } \
	|| echo "No PostgreSQL server found: the tests that need one are skipped."

# nginx for the test of docs/deploy; without it that is skipped.
nginx:
	@command -v nginx >/dev/null 2>&1 || test -x /usr/sbin/nginx \
	|| { $(CAN_APT) && apt-get update -qq && apt-get install -y -qq --no-install-recommends nginx-light; } \
	|| echo "No nginx found: the test of docs/deploy is skipped."

# Node for the tests of what holds data in the browser; without it they are skipped.
node:
	@command -v node >/dev/null 2>&1 \
	|| { $(CAN_APT) && apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs; } \
	|| echo "No node found: the tests of the browser's code are skipped."
