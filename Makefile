# Every target does its own set-up. `make help` lists them.
.DEFAULT_GOAL := help
BUILD := build
SOLIS := $(BUILD)/release/solis

.PHONY: help
help:  ## list the targets
	@grep -hE '^[a-z -]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

.PHONY: setup
setup:
	@scripts/setup
	@mkdir -p $(BUILD)

.PHONY: build
build: setup  ## build the command: build/release/solis
	@scripts/build release solis

.PHONY: demo
demo: build  ## show what SOLIS can do
	@scripts/demo

.PHONY: test
test: setup  ## all checks and tests: layers, format, links, ASan+UBSan with fuzz replays, Release, the page
	@scripts/check-layers
	@scripts/check-format
	@scripts/check-links
	@$(MAKE) --no-print-directory -j2 build-asan build-release
	@scripts/test asan release

# What the sanitizers test is tested once; here Release repeats it. The choice stays with the build folder.
.PHONY: test-all
test-all: setup  ## the same with every test in Release, too
	@cmake --preset release -D SOLIS_ALL_TESTS=ON >$(BUILD)/release.log 2>&1 || { cat $(BUILD)/release.log; exit 1; }
	@$(MAKE) --no-print-directory test

# Both at once: while one waits for its last compiler run or link, the other has work for every core. No
# more compilers than Ninja would start for one of them, which is what the memory is there for.
.PHONY: build-asan build-release
build-asan build-release:
	@CMAKE_BUILD_PARALLEL_LEVEL=$${CMAKE_BUILD_PARALLEL_LEVEL:-$$(nproc)} scripts/build $(@:build-%=%)

.PHONY: python
python: setup  ## build the Python module: PYTHONPATH=build/release/python
	@scripts/build release solis solis_python
	@PYTHONPATH=$(BUILD)/release/python /usr/bin/python3 -c 'import solis; print(solis.load())'

PREFIX ?= /usr/local
.PHONY: install
install: setup  ## install command, modules and library below PREFIX (and DESTDIR)
	@scripts/build release solis solis_package
	@cmake --install $(BUILD)/release --prefix $(PREFIX) >/dev/null && echo "installed below $(DESTDIR)$(PREFIX)"

.PHONY: docs
docs: setup  ## the reference of the library: build/release/api/html
	@scripts/build release docs && echo "$(BUILD)/release/api/html/index.html"

.PHONY: dist
dist: setup  ## one-file release: tarball and Debian packages in build/dist
	@scripts/dist

.PHONY: bench
bench: build  ## benchmarks, each as a ratio to a peer in the same run
	@for name in perft pgn data encoder train label plan; do $(SOLIS) bench $$name || exit 1; done

.PHONY: asan
asan: setup  ## every test under ASan+UBSan, those of the command too, and 2 s of every fuzz target
	@scripts/build asan-all
	@ctest --preset asan-all

.PHONY: debug
debug: setup  ## tests in a debug build
	@scripts/build debug
	@ctest --preset debug

.PHONY: tsan
tsan: setup  ## tests of the folders that use threads, under TSan
	@scripts/build tsan base_tests planner_tests train_tests engine_tests lab_tests studio_tests
	@ctest --preset tsan

.PHONY: fuzz
fuzz: setup  ## give each fuzz target FUZZ_SECONDS (60), FUZZ_JOBS (1) at a time; goes on where it was stopped
	@scripts/build fuzz fuzz_targets
	@scripts/fuzz -j $(or $(FUZZ_JOBS),1) $(or $(FUZZ_SECONDS),60)

.PHONY: format
format: setup  ## reformat the sources
	@scripts/check-format --fix

.PHONY: lint
lint: setup  ## clang-tidy over the sources
	@scripts/lint

.PHONY: clean
clean:  ## remove all builds
	rm -rf $(BUILD)
