# Two commands do everything: `make demo` and `make test`.
# Everything is installed into .venv here, from pinned requirements.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := .make

.PHONY: setup demo test warm check unit browser smoke bench bench-built docs pictures prove pins clean

WEB := hatch_build.py $(wildcard web/*.*) $(shell find web/src -type f)

setup: $(STAMP)/dev $(STAMP)/web

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(STAMP)/dev: requirements/dev.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	command -v npm >/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/web.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@mkdir -p $(STAMP) && touch $@

# The workbench's pages, bundled into the package again when their sources change.
$(STAMP)/web: $(WEB) $(shell find src/detent/model -name '*.py') $(STAMP)/dev
	$(BIN)/python tools/make_types.py
	$(BIN)/python hatch_build.py
	@touch $@

$(STAMP)/bench: requirements/bench.txt $(STAMP)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	@touch $@

$(STAMP)/bench-built: requirements/bench-built.txt $(STAMP)/bench
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench-built.txt
	@touch $@

$(STAMP)/docs: requirements/docs.txt $(STAMP)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.txt
	@touch $@

demo: setup
	@mkdir -p demo
	$(BIN)/detent mate snap_holds --strip demo/snap_holds.png --report demo/snap_holds.html
	$(BIN)/detent move four_bar --plot demo/four_bar.png
	$(BIN)/detent explain escapement --report demo/escapement.html
	$(BIN)/detent draw escapement --output demo/escapement.png
	$(BIN)/detent run escapement --until 16 --film demo/escapement.gif --plot demo/escapement_run.png \
		--strip demo/escapement_moments.png --at 2.08 --free-body demo/escapement_forces.png --forces
	$(BIN)/detent outlook escapement --plot demo/escapement_outlook.png --report demo/escapement_outlook.html
	@echo "pictures, films and reports: demo/*.png, demo/*.gif, demo/*.html"

# All checks and tests, in the order in which they fail fastest.
test: warm check unit smoke

# Kernels are compiled beside the checks, which leave a core idle; tests wait for those that they need.
warm: setup
	@$(BIN)/detent warmup --quiet >/dev/null 2>&1 &

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/python tools/check_house.py
	$(BIN)/mypy
	$(BIN)/python hatch_build.py check

# Tests side by side, one more than there are cores, since those of the page mostly wait for the browser; more
# than four only crowd it.
unit: setup browser
	$(BIN)/pytest --numprocesses $$($(PYTHON) -c 'import os; print(min(4, (os.cpu_count() or 1) + 1))') --dist worksteal

# The tests drive a real page: Chromium is installed where that is allowed, and asked for where not.
browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get install -y -q chromium || { apt-get update -q && apt-get install -y -q chromium; }; \
	else \
	  echo "the browser tests need Chromium: install it (Debian: sudo apt-get install chromium)"; \
	fi

# The wheel, installed into empty environments of the oldest and the newest Python that are here.
smoke: setup
	$(BIN)/python tests/install/smoke.py

bench: $(STAMP)/bench
	$(BIN)/python -m benchmarks

# With the peers that are built from source as well (needs a C++ compiler, Eigen and Boost headers).
bench-built: $(STAMP)/bench-built
	$(BIN)/python -m benchmarks

docs: $(STAMP)/docs
	$(BIN)/python docs/make_gallery.py
	$(BIN)/sphinx-build -q -W -b html docs docs/_build/html

# The pictures of the README and of the pages.
pictures: setup
	$(BIN)/detent move jansen_leg --quiet --plot docs/pictures/jansen_leg.png
	$(BIN)/detent mate motion_diode --quiet --slice docs/pictures/motion_diode.png
	$(BIN)/detent outlook cuckoo_clock --quiet --plot docs/pictures/cuckoo_clock.png
	$(BIN)/detent run worn_tooth --quiet --until 40 --of bwheel --of ewheel --plot docs/pictures/worn_tooth.png
	$(BIN)/detent mate rect_peg_carrier --quiet --region 9 --plot docs/pictures/rect_peg_region.png
	$(BIN)/detent modes box_in_corner --quiet --mode '+++++0+0|..........+-..+-' --plot docs/pictures/box_in_corner.png

# The long campaigns in full; the tests run a seeded share of each.
prove: setup
	DETENT_PROVE=full $(BIN)/pytest tests/prove -v

# Write the pins again from pyproject.toml (needs uv). No addresses, only names and hashes.
pins:
	for set in dev docs bench bench-built web; do \
	  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	    --extra dev --extra $$set pyproject.toml -o requirements/$$set.txt || exit 1; \
	done

clean:
	rm -rf $(VENV) $(STAMP) build dist demo docs/_build
