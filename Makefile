# seambench: `make bench STRATEGY=engram` and `make test` set everything up by themselves.
STRATEGY ?= engram
# quick: one task of each family, in a minute; all: the 36 tasks, in a few.
FAMILY ?= quick
MODEL ?= worker
REPEATS ?= 1
# Further overrides in Hydra's grammar, e.g. ARGS="run.concurrency=16 model.name=my-model"
ARGS ?=
RUN ?=
# Numbers of prefixes over which `make benchmark` shows the growth of time and memory.
PREFIXES ?=
# Trials of the run folder that `make benchmark` opens, resumes and reports.
TRIALS ?= 10000
# Labelled conversations by others, not part of the project.
GOLD ?= ../shared/gold
# Folder in which measurements are kept as well, with the commit they were made at.
KEEP ?=
kept = $(if $(KEEP),$(PY) tests/benchmarks/keep.py $(KEEP)/$(1).md)

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup bench study test test-fast report plots calibration scale extraction-report validate benchmark peers attacks faults mutants codex check lock clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(READY) ## make the environment (uv if present, else pip) and the sandbox

$(READY): pyproject.toml requirements.lock .ci/setup
	@sh .ci/setup $(VENV)
	@touch $@

bench: $(READY) ## run the benchmark: STRATEGY= FAMILY= MODEL= REPEATS= ARGS=
	$(PY) -m harness run strategy=$(STRATEGY) family=$(FAMILY) model=$(MODEL) seam.repeats=$(REPEATS) \
	  executor=processes $(ARGS)

test: $(READY) check ## lint and run all tests
	$(PY) -m pytest -n 2 --dist worksteal

test-fast: $(READY) ## run the tests that take no real runs
	$(PY) -m pytest -n 2 --dist worksteal -m "not slow"

study: $(READY) ## the 430-record study: registered, run on all cores, claims, against the reference
	$(PY) -m harness register study=study430 $(ARGS)
	$(PY) -m harness run study=study430 executor=processes $(ARGS)
	$(PY) -m harness claims results/study430
	$(PY) -m harness reference results/study430

report: $(READY) ## regenerate tables and plots: RUN=results/<run>, or several side by side
	$(PY) -m harness report $(RUN)

plots: $(READY) ## regenerate the plots alone: RUN=results/<run>
	$(PY) -m harness plots $(RUN)

calibration: $(READY) ## does the interval cover, and the test alarm, as often as they say? (minutes)
	$(call kept,calibration) $(PY) -m analysis.calibration

scale: $(READY) ## time and memory of frames and tables up to a million records (minutes)
	$(call kept,scale) $(PY) tests/benchmarks/analysis_scale.py $(if $(KEEP),--rows $(KEEP)/scale.json)

extraction-report: $(READY) ## recall and false alarms of state extraction: GOLD=folder with visible.jsonl, score.py
	@mkdir -p results && $(PY) -m harness extract $(GOLD)/visible.jsonl > results/extraction.jsonl
	$(PY) $(GOLD)/score.py results/extraction.jsonl --gold $(GOLD)/visible.jsonl --by lang

validate: $(READY) ## check all fixtures against the admission rules
	$(PY) -m harness validate

benchmark: $(READY) ## speed, memory, storage, use of a slow model, opening a report; PREFIXES=36,360: growth
	$(call kept,speed) $(PY) tests/benchmarks/harness_speed.py
	$(call kept,storage) $(PY) tests/benchmarks/storage.py --trials $(TRIALS)
	$(call kept,latency) $(PY) tests/benchmarks/latency.py
	$(call kept,page) $(PY) tests/benchmarks/page_open.py
	$(if $(PREFIXES),$(call kept,growth) $(PY) tests/benchmarks/growth.py --prefixes $(PREFIXES) \
	  $(if $(KEEP),--rows $(KEEP)/growth.json))

peers: $(READY) ## the same work by inspect-ai and mini-swe-agent, side by side (minutes; into .peers/)
	$(call kept,peers) $(PY) tests/benchmarks/peers.py

attacks: $(READY) ## attacks on the harness and its machine, each carried out: held or not
	$(call kept,attacks) $(PY) tests/attacks.py

faults: $(READY) ## power cuts at every write, full disks, lost permissions and their like
	$(call kept,faults) $(PY) tests/powercut.py

mutants: $(READY) ## faults put into the modules that judge: do the tests see them? (into .mutants/)
	$(call kept,mutants) $(PY) tests/mutation/run.py $(ARGS)

codex: ## install Codex CLI from npm (424 MB), for agent=codex
	@sh .ci/codex .codex-cli

check: $(READY) ## ruff, lint and format
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

lock: $(READY) ## write requirements.lock from pyproject.toml (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --extra dev --no-header \
	  --no-annotate pyproject.toml -o requirements.lock

clean: ## remove the environment
	rm -rf $(VENV)
