// swift-tools-version: 6.3

import PackageDescription

/// Tests that take long to compile, and that few changes need on every run. They're a package of
/// their own, so that `swift test` in the main package stays quick. CI runs them.
let package = Package(
  name: "slow-tests",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of the clone may have any name.
    .package(name: "stream-scenarios", path: "../..")
  ],
  targets: [
    // Links to files of the main package, which sees them as its own only.
    .target(name: "TestSupport", dependencies: [product("Streams")]),
    .testTarget(
      name: "RandomPipelinesTests",
      dependencies: [
        "TestSupport", product("Streams"), product("StreamsTesting"), product("VirtualTime"),
      ]),

    // Long chains of operators, in both language modes: the second folder holds links to the first.
    // They have to compile, and to print the same, in debug and in release.
    .executableTarget(name: "chains", dependencies: [product("Streams")]),
    .executableTarget(
      name: "chains-swift5", dependencies: [product("Streams")],
      swiftSettings: [.swiftLanguageMode(.v5)]),

    // Links to the main package's ArticleTests, in the other language mode.
    .testTarget(
      name: "ArticleSwift5Tests",
      dependencies: [product("StreamsFoundation"), product("StubNetwork")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)

func product(_ name: String) -> Target.Dependency {
  .product(name: name, package: "stream-scenarios")
}
