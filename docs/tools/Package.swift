// swift-tools-version: 6.3

import PackageDescription

/// A package of its own, so that building the libraries and scenarios builds no tools.
let package = Package(
  name: "tools",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of the clone may have any name.
    .package(name: "stream-scenarios", path: "../..")
  ],
  targets: [
    // Writes code, output and pictures into the pages: `make docs`.
    .executableTarget(
      name: "weave-docs",
      dependencies: [
        .product(name: "TimelinePictures", package: "stream-scenarios"),
        .product(name: "VirtualTime", package: "stream-scenarios"),
      ]),
    .testTarget(name: "WeaveDocsTests", dependencies: ["weave-docs"]),
    // Compares the public symbols with Combine's: `make api`.
    .executableTarget(name: "check-api"),
    .testTarget(name: "CheckAPITests", dependencies: ["check-api"]),
    // Writes the stages on the pages of operators: `make site`.
    .executableTarget(
      name: "run-marbles",
      dependencies: [
        .product(name: "ScenarioKit", package: "stream-scenarios"),
        .product(name: "StreamsTesting", package: "stream-scenarios"),
      ]),
    // The checks of words and of the cost of reading are scripts.
    .testTarget(name: "ScriptTests"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [.treatAllWarnings(as: .error)]
}
