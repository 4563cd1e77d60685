// swift-tools-version: 6.3

import PackageDescription

/// All scenarios. A scenario's folder, executable, page, snapshots and tests share its name.
///
/// To add one, see "How to add a scenario" in CONTRIBUTING.md.
let scenarios = [
  "first-stream",
  "errors-and-types",
  "subjects",
  "keep-it-alive",
  "everyday-operators",
  "decode-user",
  "retry-then-fallback",
  "receive-on-main",
  "assign-image",
  "share-single-load",
  "connectable-delay",
  "throttle-or-debounce",
  "search-as-you-type",
  "poll-and-combine",
  "demand",
  "from-handler-to-publisher",
  "refresh-once",
  "todo-client",
  "tiny-streams",
  "completion-handler",
  "streaming-delegate",
  "wait-for-connectivity",
]

/// The libraries that a scenario uses in addition to ScenarioKit.
let libraries: [String: [Target.Dependency]] = ["todo-client": ["TodoAPI"]]

let package = Package(
  name: "stream-scenarios",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "StreamsFoundation", targets: ["StreamsFoundation"]),
    .library(name: "StreamsExtras", targets: ["StreamsExtras"]),
    // For code that says `import Combine`.
    .library(name: "Combine", targets: ["Combine"]),
    .library(name: "VirtualTime", targets: ["VirtualTime"]),
    .library(name: "StubNetwork", targets: ["StubNetwork"]),
    .library(name: "Timeline", targets: ["Timeline"]),
    .library(name: "TimelinePictures", targets: ["TimelinePictures"]),
    .library(name: "VirtualWorld", targets: ["VirtualWorld"]),
    .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
    // For programs on the stage of `make play`.
    .library(name: "ScenarioKit", targets: ["ScenarioKit"]),
    // For the package in Scenarios/server.
    .library(name: "TodoAPI", targets: ["TodoAPI"]),
  ],
  targets: [
    // Libraries, lowest first: a target imports only what stands above it here.
    .target(name: "Streams"),
    .target(name: "StreamsFoundation", dependencies: ["Streams"]),
    // Only another name for the module above. Nothing in this package imports it.
    .target(name: "Combine", dependencies: ["StreamsFoundation"]),
    // What Apple's Combine doesn't have.
    .target(name: "StreamsExtras", dependencies: ["StreamsFoundation"]),
    .target(name: "VirtualTime", dependencies: ["Streams"]),
    .target(name: "Timeline", dependencies: ["StreamsFoundation", "VirtualTime"]),
    .target(name: "StubNetwork", dependencies: ["Timeline"]),
    // Draws the record of a run as SVG.
    .target(name: "TimelinePictures", dependencies: ["Timeline"]),
    .target(name: "VirtualWorld", dependencies: ["StubNetwork"]),
    .target(
      name: "StreamsTesting", dependencies: ["VirtualWorld", "StreamsExtras", "TimelinePictures"]),
    .target(
      name: "ScenarioKit", dependencies: ["VirtualWorld", "TimelinePictures"],
      exclude: ["StagePage"]),

    // The rules of the API that the scenario todo-client talks to.
    .target(name: "TodoAPI", path: "Scenarios/todo-api"),

    // Tests, in folders that mirror the sources.
    // In C, because it has to run before Swift Testing does: limits how many tests run at once.
    .target(name: "TestWidth", path: "Tests/TestWidth"),
    // What only the tests of this package need.
    .target(
      name: "TestSupport", dependencies: ["StreamsTesting", "TestWidth"],
      path: "Tests/TestSupport"),
    .testTarget(name: "TestSupportTests", dependencies: ["decode-user", "TestSupport"]),
    .testTarget(
      name: "StreamsTests",
      dependencies: ["Streams", "StreamsExtras", "StreamsTesting", "Timeline", "TestSupport"]),
    .testTarget(name: "StreamsExtrasTests", dependencies: ["StreamsExtras", "TestSupport"]),
    .testTarget(
      name: "StreamsFoundationTests", dependencies: ["StreamsFoundation", "TestSupport"]),
    .testTarget(name: "VirtualTimeTests", dependencies: ["VirtualTime", "TestSupport"]),
    .testTarget(name: "StubNetworkTests", dependencies: ["StubNetwork", "TestSupport"]),
    // Code in the style of articles on URLSession with Combine, as people paste it.
    .testTarget(name: "ArticleTests", dependencies: ["StubNetwork"]),
    .testTarget(name: "TimelineTests", dependencies: ["TimelinePictures", "TestSupport"]),
    .testTarget(
      name: "VirtualWorldTests",
      dependencies: ["StreamsTesting", "TestSupport"],
      exclude: ["Tasks/Snapshots"]),
    // Tests that fail, whose messages tests compare. No test target depends on it, because its
    // tests would run and fail with all others.
    .executableTarget(
      name: "failing-tests", dependencies: ["StreamsTesting"],
      path: "Tests/Fixtures/failing-tests"),
    .testTarget(
      name: "StreamsTestingTests",
      dependencies: ["StreamsTesting", "TestSupport"],
      exclude: ["SnapshotTests/Snapshots", "Snapshots"]),
    // The examples of the pages in docs/operators.
    .testTarget(
      name: "OperatorPagesTests",
      dependencies: ["StreamsTesting", "StreamsExtras", "ScenarioKit"],
      exclude: ["Snapshots"]),
    // Scenarios that the tests of ScenarioKit run: work for the main queue, one that fails, one
    // that uses each kind of queue, one that has tasks, and one that has more orders than a search
    // tries.
    .executableTarget(
      name: "main-turns", dependencies: ["ScenarioKit", "TestSupport"],
      path: "Tests/Fixtures/main-turns"),
    .executableTarget(
      name: "broken-scenario", dependencies: ["ScenarioKit"],
      path: "Tests/Fixtures/broken-scenario"),
    .executableTarget(
      name: "every-queue", dependencies: ["ScenarioKit"], path: "Tests/Fixtures/every-queue"),
    .executableTarget(
      name: "every-task", dependencies: ["ScenarioKit"], path: "Tests/Fixtures/every-task"),
    .executableTarget(
      name: "many-orders", dependencies: ["ScenarioKit"], path: "Tests/Fixtures/many-orders"),
    // The template that `make new` copies.
    .executableTarget(
      name: "new-scenario", dependencies: ["ScenarioKit"], path: "Tests/Fixtures/new-scenario",
      exclude: ["page.md"]),
    // `make release-check` runs it, because an optimiser can break a lock.
    .executableTarget(
      name: "optimised-locks", dependencies: ["Streams"], path: "Tests/Fixtures/optimised-locks"),
    .testTarget(
      name: "ScenarioKitTests",
      dependencies: [
        "ScenarioKit", "TestSupport", "main-turns", "broken-scenario", "every-queue",
        "every-task", "many-orders", "new-scenario", "optimised-locks",
      ],
      exclude: ["Snapshots"]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: ["ScenarioKit", "TestSupport"] + scenarios.map { .target(name: $0) },
      exclude: ["Snapshots"]),
  ]
    + scenarios.map {
      .executableTarget(
        name: $0, dependencies: ["ScenarioKit"] + (libraries[$0] ?? []), path: "Scenarios/\($0)")
    },
  swiftLanguageModes: [.v6]
)

// `make play` builds a pipeline of your own, in a folder that isn't part of the repository.
if let folder = Context.environment["PLAYGROUND"], !folder.isEmpty {
  package.targets.append(
    .executableTarget(
      name: "playground", dependencies: ["Combine", "ScenarioKit", "StreamsTesting"],
      path: folder))
}

// `make test SCENARIO=decode-user` needs only the tests of scenarios.
if !(Context.environment["TEST_SCENARIO"] ?? "").isEmpty {
  package.targets.removeAll { $0.isTest && $0.name != "ScenarioTests" }
}
