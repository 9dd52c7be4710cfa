# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out/quickstart
# What makes up the benchmark, in the order in which speech is first needed: the grids speak with its voices again.
VGBENCH := vgbench/speaker_switch vgbench/side_talk vgbench/self_talk controls/factorized controls/renderings sft/cue_balanced
VGBENCH_OUT ?= out

.PHONY: help setup voices demo vgbench reference test fuzz slow bench clean

help:  ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Python 3.11 or newer is needed: install it, or name it: make PYTHON=python3.12 ..."; exit 2; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null \
	  || { echo "Python's venv module is needed (Debian and Ubuntu: apt install python3-venv)"; exit 2; }
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

setup: $(VENV)/ready  ## Make the virtual environment and install

voices: setup  ## Fetch the embedded voices (about 100 MB, once)
	@$(BIN)/vgsynth voices fetch

demo: voices  ## Render scenes/quickstart.yaml with real speech, verify it, make its page
	@$(BIN)/vgsynth check scenes/quickstart.yaml
	@$(BIN)/vgsynth render scenes/quickstart.yaml -o $(OUT)
	@$(BIN)/vgsynth verify $(OUT)
	@$(BIN)/vgsynth report $(OUT)
	@echo
	@echo "WAVs      $(OUT)/wav"
	@echo "manifest  $(OUT)/manifest.jsonl"
	@echo "page      $(OUT)/report.html  (open it in a browser)"

vgbench: voices  ## Render all of VGBench, its grids and the cue-balanced set; verify and audit them
	@for set in $(VGBENCH); do \
	  $(BIN)/vgsynth check scenes/$$set.yaml && \
	  $(BIN)/vgsynth render scenes/$$set.yaml -o $(VGBENCH_OUT)/$$set && \
	  $(BIN)/vgsynth verify $(VGBENCH_OUT)/$$set && \
	  $(BIN)/vgsynth audit $(VGBENCH_OUT)/$$set && \
	  $(BIN)/vgsynth describe $(VGBENCH_OUT)/$$set || exit 1; \
	done

reference: setup  ## Write docs/spec-reference.md from the schema
	$(BIN)/python -m vgsynth.spec.reference docs/spec-reference.md

test: voices  ## Run all checks and tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto -m "not slow"

fuzz: voices  ## Check 5,000 mutated specs
	FUZZ_SPECS=5000 $(BIN)/pytest tests/property/test_spec_fuzz.py

slow: voices  ## Tests that take minutes
	$(BIN)/pytest -m slow

bench: voices  ## Run the benchmarks
	@for script in benchmarks/[a-z]*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean:  ## Remove the virtual environment and rendered output
	rm -rf $(VENV) out
