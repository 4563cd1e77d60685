# `make` lists all commands.

# The names in Package.swift's array.
SCENARIOS = $(shell sed -n '/^let scenarios = \[/,/^]/s/^ *"\([a-z0-9-]*\)".*/\1/p' Package.swift)

# The scenario that `run` runs, and the flags it passes on. For `test`, `record` and `soak`: the only
# scenario that they run.
SCENARIO =
ARGS =
# The tests that `test` and `record` run, as for `swift test --filter`; all by default.
FILTER =
# The snapshots that `record` writes: missing, failed (missing and different ones) or all.
RECORD = failed
# How many times `soak` runs each scenario.
N = 100
# Anything but nothing makes `bench-peers` write its tables into docs/performance.md.
PAGE =
# The exercise that `exercise` runs, and the hint that it gives instead.
NAME =
HINT =

# Stops in one line unless a variable has one of the expected values: $(call expect,RECORD,failed all)
expect = $(if $(filter 1-,$(words $($(1)))-$(filter-out $(2),$($(1)))),,$(error \
  $(1) is '$($(1))', expected one of: $(2)))
expect-scenario = $(if $(SCENARIO),$(call expect,SCENARIO,$(SCENARIOS)))

# The tests of one scenario are those that all scenarios have, and its own suite: DecodeUserTests.
SUITE = $(shell echo $(SCENARIO) | sed -E 's/(^|-)([a-z0-9])/\U\2/g')Tests
# For the packages that use this one. SwiftPM's stored plan of such a package doesn't notice that this
# one has got a file, or lost one.
IN = --disable-build-manifest-caching --package-path
# The tools are a package of their own, in docs/tools.
WEAVE = swift run --quiet $(IN) docs/tools weave-docs

# The part of the tests that FILTER or SCENARIO names.
TESTS = $(if $(FILTER),--filter '$(FILTER)',$(if $(SCENARIO),\
  --filter '^ScenarioTests\.(ScenarioTests|CompletenessTests|$(SUITE))/'))
expect-tests = $(expect-scenario)$(if $(and $(FILTER),$(SCENARIO)),$(error \
  FILTER and SCENARIO can't be combined. Use only one of them))

.DEFAULT_GOAL = help
.PHONY: help list run run-all play exercise exercises server new build test record accept docs format \
	lint check api docs-check messages soak sanitize leaks slow-tests tools-test recipes- \
	test exercises-check outside-test peers-test release-check server-test workflow-check \
	player-test play-test site-check bench-floors site film reference bench bench-peers bench-typecheck

##@ Try it

help: ## list these commands
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

list: ## list the scenarios in the order of the course
	@Scenarios/list.sh

run: ## run one scenario: SCENARIO=decode-user ARGS=--marbles
	$(call expect,SCENARIO,$(SCENARIOS))
	@swift run --quiet $(SCENARIO) $(ARGS)

run-all: ## run all scenarios, one after another
	@set -e; for scenario in $(SCENARIOS); do \
	  echo "$$ swift run $$scenario"; swift run --quiet $$scenario; echo; \
	done

# The exercises are a package of its own. NAME chooses one, and HINT=1 to 3 gives a hint. On a terminal,
# an exercise stays until you press q. PLAY=1 puts it on the stage instead.
exercise: ## run the next exercise, again on each save: NAME=running-total HINT=1 PLAY=1
	@Scenarios/exercises/exercise.sh $(if $(and $(PLAY),$(if $(HINT),,1)),play '$(NAME)' $(ARGS),run \
	  '$(NAME)' '$(HINT)')

exercises: ## list the exercises with their lessons, and a mark for each that you solved
	@Scenarios/exercises/exercise.sh list

# What serves the page is a package of its own, which downloads its dependencies.
play: ## put your own code on a stage, and drag what happens; or SCENARIO=decode-user ARGS=--no-open
	$(expect-scenario)
	@Scenarios/play/play.sh '$(SCENARIO)' $(ARGS)

# The server is a package of its own. It downloads its dependencies, and needs SQLite's headers: on
# Debian and Ubuntu, `apt-get install libsqlite3-dev`.
server: ## start a real server for the scenarios: ARGS="--port 8081"
	swift run $(IN) Scenarios/server scenario-server $(ARGS)

##@ Change it

new: ## start a scenario: SCENARIO=hello-stream
	@$(WEAVE) --new '$(SCENARIO)'
	@echo "Next: make run SCENARIO=$(SCENARIO), then go on in CONTRIBUTING.md, How to add a scenario"

build: ## build everything, with warnings as errors
	@Tests/strict-build.sh

test: ## run all tests, or some: FILTER=MapTests or SCENARIO=decode-user
	$(expect-tests)
	@TEST_SCENARIO=$(SCENARIO) Tests/run.sh $(TESTS)

record: ## write snapshots (RECORD=missing, failed or all), then test; FILTER, SCENARIO as for test
	$(expect-tests)
	$(call expect,RECORD,missing failed all)
	@TEST_SCENARIO=$(SCENARIO) swift build --build-tests
	@echo "The first run writes snapshots, so it fails. The second run shows the result."
	-@TEST_SCENARIO=$(SCENARIO) SNAPSHOT_RECORD=$(RECORD) Tests/run.sh $(TESTS)
	@TEST_SCENARIO=$(SCENARIO) Tests/run.sh $(TESTS)
	@git status --short -- Tests

accept: ## accept the output of failed snapshot tests as the new snapshots
	@Tests/accept.sh

docs: ## write the code, output and numbers of all pages again
	@$(WEAVE)
	@docs/tools/reading-cost.sh --write

format: ## lay out all Swift code, as lint asks for
	swift format --in-place --recursive Package.swift Sources Tests Scenarios docs/tools

lint: ## check the layout of the code, the words of all texts, and the list of unsafe code
	swift format lint --strict --recursive Package.swift Sources Tests Scenarios docs/tools
	@docs/tools/words.sh
	@docs/tools/unsafe.sh
	@! grep -rnE '^[^/"]*import ([a-z]+ )?Combine([. /]|$$)' --include=*.swift --exclude-dir=CombineApp --exclude-dir=playground --exclude-dir=.build \
	  Sources Tests Scenarios docs/tools || { \
	  echo "lint: import Streams or StreamsFoundation. Combine is only for other packages" >&2; exit 1; }
	@! grep -rnE '\bMutex[<(]' --include=*.swift Sources Tests || { \
	  echo "lint: use Locked instead of Mutex, which the thread sanitizer can't follow" >&2; exit 1; }

check: lint build test api docs-check messages ## run everything a change has to pass: lint, build, test, pages, soak
	@Tests/soak.sh N=5

##@ Parts of `make check`

api: ## compare the public symbols with the table of Combine's
	@Tests/api-check.sh

docs-check: ## list the pages that are wrong or stale
	@$(WEAVE) --check
	@docs/tools/workshop.sh
	@docs/tools/reading-cost.sh

messages: ## compile the mistakes that pages quote messages of, and compare
	@Tests/messages.sh

soak: ## run each scenario N=100 times, also under load, and compare the bytes
	$(expect-scenario)
	swift build
	@Tests/soak.sh N=$(N) $(SCENARIO)

##@ More checks, which .ci/run runs after it

# This build has flags of its own in any case, so warnings can be errors here. The tests of pictures,
# pages and records only make text, those of long runs use one thread, and all of them take long with the
# sanitizer. The sanitizer has handlers of its own for signals, so a program's own can't be tested with it.
sanitize: ## run all tests that may use threads with the thread sanitizer
	TEST_SCENARIO= \
	  TSAN_OPTIONS="atexit_sleep_ms=0 halt_on_error=1 suppressions='$(CURDIR)/Tests/tsan.supp' print_suppressions=0" \
	  swift test --sanitize=thread --scratch-path .build-tsan -Xswiftc -warnings-as-errors \
	  --skip '^TimelineTests\.(SVG|Diagram|Picture|LaneRows)' --skip '^OperatorPagesTests\.' \
	  --skip '^VirtualWorldTests\.WorldEndTests/(muchUnfinishedWork|aRunWithoutEnd)' \
	  --skip '^ScenarioKitTests\.TerminalScreenTests' --skip '^ScenarioTests\.PageTests'

# The leak detector is only linked into the test runner, so nothing is compiled again.
RUNTIME = $(shell swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
LSAN = $(firstword $(wildcard \
  $(RUNTIME)/../clang/*/lib/linux/libclang_rt.lsan-$(shell uname -m).a))

leaks: ## run the tests of Streams with the leak detector
	@test -n "$(LSAN)" || { echo "leaks: this toolchain has no leak detector (libclang_rt.lsan)" >&2; \
	  exit 1; }
	BREAK_FIXTURE_CYCLES=1 LSAN_OPTIONS="suppressions=Tests/leaks.supp:print_suppressions=0" \
	  swift test --filter '^StreamsTests\.' \
	  -Xlinker --whole-archive -Xlinker "$(LSAN)" -Xlinker --no-whole-archive

# A package of its own, so that the root's tests compile faster. PIPELINE_SEED and others choose the
# random pipelines.
slow-tests: ## run the tests that take long to compile: random pipelines, Swift 5; FILTER as for test
	swift test $(IN) Tests/SlowTests $(if $(FILTER),--filter '$(FILTER)')

tools-test: ## test the tools in docs/tools
	swift test $(IN) docs/tools

# A package of its own, because it's code as a user's. RECORD as for `record`.
recipes-test: ## test the recipes; RECORD=missing, failed or all writes the snapshots of their runs
	$(call expect,RECORD,missing failed all)
	swift build --build-tests $(IN) Tests/Recipes
	$(if $(filter command line,$(origin RECORD)),-SNAPSHOT_RECORD=$(RECORD) swift test --skip-build \
	  $(IN) Tests/Recipes)
	swift test --skip-build $(IN) Tests/Recipes

exercises-check: ## check that each exercise fails as its page says, and that only right answers pass
	@Scenarios/exercises/check.sh
	@Scenarios/exercises/check-watch.sh
	@Scenarios/exercises/mutants.sh

outside-test: ## build and test a package that uses the testing libraries, from a clean folder
	@Tests/outside-test.sh

peers-test: ## test that the comparison with OpenCombine compares the same work
	swift test --configuration release $(IN) Tests/Peers

# Long chains have crashed the optimiser, and -Osize optimises differently from -O. The two packages
# share a folder, so Streams is compiled once for them. With `IN`, SwiftPM doesn't take one's plan
# for the other's.
release-check: ## build for release, and compare the output of scenarios and long chains
	swift build $(IN) . --configuration release --scratch-path .build-release
	swift build $(IN) Tests/SlowTests
	swift build $(IN) Tests/SlowTests --configuration release --scratch-path .build-release
	swift build $(IN) Tests/SlowTests --configuration release \
	  --scratch-path .build-osize -Xswiftc -Osize
	@Tests/release-check.sh .build-release/release Tests/SlowTests/.build/debug \
	  .build-release/release .build-osize/release

server-test: ## test the server, and run all scenarios against it
	swift build
	swift test $(IN) Scenarios/server

workflow-check: ## check the workflows of the code host, and the templates of issues
	@Tests/Browser/install.sh
	@.github/check.sh

player-test: ## test the pages of --player of all scenarios in Chromium, or of one: SCENARIO=decode-user
	$(expect-scenario)
	@Tests/browser-test.sh $(or $(SCENARIO),$(SCENARIOS))

play-test: ## test the live stage of make play in Chromium, and measure how fast it is
	@Tests/play-test.sh

site-check: ## build the site, follow its links, and open its pages in Chromium
	@Tests/Browser/install.sh
	@docs/site/build.sh $(SCENARIOS)
	@.build/site-tools/bin/python docs/site/check.py .build/site

bench-floors: ## fail if a row is less far ahead of OpenCombine than its floor: ARGS=scan
	@touch Tests/Peers/Sources/Workloads/*.swift
	swift build --configuration release $(IN) Tests/Peers --product bench-peers
	@Tests/Peers/.build/release/bench-peers --floors $(ARGS)

##@ Pages for the web, and figures

# The site has tools of its own: Python installs them into .build/site-tools. Nothing else needs them.
site: ## build the pages as a site, with a stage for each run: .build/site/index.html
	@docs/site/build.sh $(SCENARIOS)

film: ## film the home page's stage for README, in Chromium
	@docs/site/film.sh

# The libraries that users import. Each has a page of its own, in its folder's .docc.
LIBRARIES = Streams StreamsFoundation StreamsExtras VirtualTime StubNetwork Timeline \
	TimelinePictures VirtualWorld StreamsTesting

reference: ## build the API reference of all libraries: .build/reference/documentation
	@docs/reference/build.sh $(LIBRARIES)

# A release build doesn't notice a change in code that is inlined from a library.
bench: ## run the benchmarks in a release build
	@touch Tests/Peers/Sources/benchmarks/main.swift
	swift run --configuration release $(IN) Tests/Peers benchmarks $(ARGS)

# OpenCombine is a dependency of a package of its own. SwiftPM downloads it.
bench-peers: ## compare speed and memory with OpenCombine: ARGS=scan, or PAGE=1 to write the tables
	@touch Tests/Peers/Sources/Workloads/*.swift
	swift build --configuration release $(IN) Tests/Peers --product bench-peers
	@Tests/Peers/.build/release/bench-peers $(if $(PAGE),--page docs/performance.md,$(ARGS))

bench-typecheck: ## measure how long the compiler takes for long chains
	@Tests/bench-typecheck.sh
