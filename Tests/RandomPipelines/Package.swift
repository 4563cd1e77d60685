// swift-tools-version: 6.1

import PackageDescription

/// A package of its own, because 10,000 random pipelines take as long to compile as many suites of
/// the main package together, and few changes need them on every run.
let package = Package(
  name: "random-pipelines",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of the clone may have any name.
    .package(name: "stream-scenarios", path: "../..")
  ],
  targets: [
    // Links to files of the main package, which sees them as its own only.
    .target(
      name: "TestSupport", dependencies: [.product(name: "Streams", package: "stream-scenarios")]),
    .testTarget(
      name: "RandomPipelinesTests",
      dependencies: [
        "TestSupport", .product(name: "Streams", package: "stream-scenarios"),
        .product(name: "VirtualTime", package: "stream-scenarios"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
