// swift-tools-version: 6.3

import PackageDescription

/// The code and the tests of the pages in `docs/recipes`: a package that uses the libraries, as
/// yours would.
let package = Package(
  name: "Recipes",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of the clone may have any name.
    .package(name: "stream-scenarios", path: "../..")
  ],
  targets: [
    .target(
      name: "Recipes",
      dependencies: [
        .product(name: "StreamsFoundation", package: "stream-scenarios"),
        .product(name: "StreamsExtras", package: "stream-scenarios"),
      ]),
    .testTarget(
      name: "RecipesTests",
      dependencies: [
        "Recipes",
        .product(name: "StreamsTesting", package: "stream-scenarios"),
      ],
      exclude: ["Snapshots"]),
  ],
  swiftLanguageModes: [.v6]
)
