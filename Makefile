# `make` alone lists what there is to do.

# The names in Package.swift's array.
SCENARIOS = $(shell sed -n '/^let scenarios = \[/,/^]/s/^ *"\([a-z0-9-]*\)".*/\1/p' Package.swift)

# What `run` runs, and the flags it hands on.
SCENARIO =
ARGS =
# Which tests `test` runs, as `swift test --filter` takes it; all by default.
FILTER =
# What `record` writes: missing, failed (also what differs) or all.
RECORD = failed
# How often `soak` runs a scenario.
N = 100

# SwiftPM builds all anew when flags change: with a folder of its own, a strict build does not make
# the next `swift run` or `swift test` do so.
STRICT = --scratch-path .build-strict -Xswiftc -warnings-as-errors

.DEFAULT_GOAL = help
.PHONY: help list run run-all test record accept docs docs-check lint bench bench-typecheck soak \
	sanitize leaks release-check check server server-test

help: ## list these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

list: ## list the scenarios, one line each
	@swift run --quiet weave-docs --list

run: ## run a scenario: SCENARIO=decode-user, and its flags: ARGS=--help
	@$(if $(filter $(SCENARIOS),$(SCENARIO)),,$(error SCENARIO is '$(SCENARIO)', expected one of: \
	  $(SCENARIOS)))swift run --quiet $(SCENARIO) $(ARGS)

run-all: ## run all scenarios one after another
	@set -e; for scenario in $(SCENARIOS); do \
	  echo "$$ swift run $$scenario"; swift run --quiet $$scenario; echo; \
	done

test: ## run the tests: all, or FILTER=MapTests
	swift test $(if $(FILTER),--filter '$(FILTER)')

record: ## record snapshots (RECORD=missing, failed or all), then test
	@echo "A run that records fails; the run after it decides."
	-SNAPSHOT_RECORD=$(RECORD) swift test
	swift test
	@git status --short -- Tests

accept: ## take what failed snapshot tests have got for their references
	@Tests/accept.sh

docs: ## weave the pages from sources and snapshots
	@swift run --quiet weave-docs

docs-check: ## tell which pages are wrong or stale, and write nothing
	@swift run --quiet weave-docs --check

lint: ## check the layout of the sources, and the words of all texts
	swift format lint --strict --recursive Package.swift Sources Tests Scenarios
	swift run --quiet weave-docs --words

# A release build does not notice when only code has changed that is inlined from a library.
bench: ## run the benchmarks, built for release
	@touch Tests/Benchmarks/main.swift
	swift run --configuration release benchmarks $(ARGS)

bench-typecheck: ## measure how long chains in one expression take to type-check
	@Tests/bench-typecheck.sh

soak: ## run each scenario N=100 times, also under load: always the same bytes?
	swift build
	@Tests/soak.sh N=$(N) $(SCENARIO)

sanitize: ## run the tests with the thread sanitizer
	TSAN_OPTIONS="atexit_sleep_ms=0 halt_on_error=1" \
	  swift test --sanitize=thread --scratch-path .build-tsan

# The leak detector is linked into the test runner, so nothing is compiled anew.
RUNTIME = $(shell swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
LSAN = $(firstword $(wildcard \
  $(RUNTIME)/../clang/*/lib/linux/libclang_rt.lsan-$(shell uname -m).a))

leaks: ## run the tests of Streams with the leak detector
	@test -n "$(LSAN)" || { echo "leaks: this toolchain has no leak detector (libclang_rt.lsan)" >&2; \
	  exit 1; }
	BREAK_FIXTURE_CYCLES=1 LSAN_OPTIONS="suppressions=Tests/leaks.supp:print_suppressions=0" \
	  swift test --filter '^StreamsTests\.' \
	  -Xlinker --whole-archive -Xlinker "$(LSAN)" -Xlinker --no-whole-archive

# The optimiser has crashed on long chains, and -Osize takes other ways than -O.
release-check: ## build for release, and compare what scenarios and long chains print
	swift build --configuration release --scratch-path .build-release
	swift build --configuration release --scratch-path .build-osize -Xswiftc -Osize --product chains
	swift build --configuration release --scratch-path .build-osize -Xswiftc -Osize \
	  --product chains-swift5
	@Tests/release-check.sh .build-release/release .build-osize/release

# The server is a package of its own, with packages of others, and with SQLite's headers: on Debian
# and Ubuntu, `apt-get install libsqlite3-dev`.
server: ## build and start a server for --server, with its flags: ARGS="--port 8081"
	swift run --package-path Scenarios/server scenario-server $(ARGS)

server-test: ## test the server, and run every scenario against it
	swift build
	swift test --package-path Scenarios/server

check: lint ## all that a change has to pass: lint, strict build, test, docs, soak
	swift build --build-tests $(STRICT)
	swift test
	swift run --quiet weave-docs --check
	Tests/soak.sh N=5
