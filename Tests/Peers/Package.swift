// swift-tools-version: 6.3

import PackageDescription

/// A package of its own, so that the main package has no dependencies, and compiles no benchmarks.
///
/// The files in `Sources/Workloads` are compiled once for each library, through links: each target
/// adds only a file that imports its library.
let package = Package(
  name: "peers",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of the clone may have any name.
    .package(name: "stream-scenarios", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(name: "PeerSupport"),
    .target(
      name: "OurWorkloads",
      dependencies: [
        "PeerSupport", .product(name: "StreamsFoundation", package: "stream-scenarios"),
      ]),
    .target(
      name: "OpenCombineWorkloads",
      dependencies: [
        "PeerSupport",
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ]),
    // Our operators next to loops, without OpenCombine.
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        .product(name: "StubNetwork", package: "stream-scenarios"),
        .product(name: "StreamsFoundation", package: "stream-scenarios"),
        .product(name: "VirtualTime", package: "stream-scenarios"),
        .product(name: "Streams", package: "stream-scenarios"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "bench-peers",
      dependencies: ["PeerSupport", "OurWorkloads", "OpenCombineWorkloads"]),
    .testTarget(
      name: "PeersTests", dependencies: ["OurWorkloads", "OpenCombineWorkloads", "bench-peers"]),
  ],
  // OpenCombine's types aren't Sendable, so shared workloads couldn't be either.
  swiftLanguageModes: [.v5]
)
