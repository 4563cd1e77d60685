// swift-tools-version: 6.1

import PackageDescription

/// All exercises, in their order. An exercise's folders, program and page share its name.
let exercises = [
  "three-values",
  "double-the-odd-ones",
  "assign-the-name",
  "one-bad-apple",
  "the-latest-reading",
  "start-the-pipeline",
  "the-line-that-vanished",
  "running-total",
  "stop-after-two",
  "progress-bar",
  "the-empty-response",
  "retry-the-503",
  "not-the-404",
  "off-the-main-thread",
  "let-the-view-go",
  "three-readers",
  "read-the-headline",
  "throttle-or-debounce",
  "three-letters",
  "no-wind-today",
  "a-limit-for-everything",
  "turn-the-page",
  "wrap-the-old-client",
  "one-login-for-two",
  "catch-the-bug",
]

let uses: [Target.Dependency] = [
  "ExerciseKit", .product(name: "StreamsFoundation", package: "stream-scenarios"),
]

/// Compiles the check too if an exercise changes. Otherwise the compiler would keep the check as it
/// is when a function's `some Publisher` becomes another publisher, and the check would take the
/// new one for the old one.
let alwaysWithCheck: [SwiftSetting] = [.unsafeFlags(["-driver-always-rebuild-dependents"])]

/// A package of its own, because an exercise that doesn't compile yet must not break other builds.
let package = Package(
  name: "exercises",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of the clone may have any name.
    .package(name: "stream-scenarios", path: "../..")
  ],
  targets: [
    .target(
      name: "ExerciseKit",
      dependencies: ["StreamsTesting", "ScenarioKit"].map {
        .product(name: $0, package: "stream-scenarios")
      }, path: "Kit"),
    // For mutants.sh.
    .executableTarget(name: "mutate", path: "Mutate"),
  ]
    // A target for each, for the same reason.
    + exercises.map {
      .executableTarget(
        name: $0, dependencies: uses, path: "Exercises/\($0)", swiftSettings: alwaysWithCheck)
    },
  swiftLanguageModes: [.v6]
)

// For answers.sh, which names all answers and gives each a folder with its check. One program runs
// them all, because a program takes long to link.
if let answers = Context.environment["CHECK_ANSWERS"]?.split(separator: " ").map(String.init) {
  package.targets =
    Array(package.targets[...1])
    + answers.map { .target(name: $0, dependencies: uses, path: ".build/answers/\($0)") } + [
      .executableTarget(
        name: "all-answers", dependencies: ["ExerciseKit"] + answers.map { .byName(name: $0) },
        path: ".build/answers/all-answers")
    ]
}
