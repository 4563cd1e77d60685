// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "App",
  dependencies: [
    .package(path: "../stream-scenarios")
  ],
  targets: [
    .target(
      name: "App",
      dependencies: [
        .product(name: "StreamsFoundation", package: "stream-scenarios"),
        .product(name: "StreamsExtras", package: "stream-scenarios"),
      ]),
    .testTarget(
      name: "AppTests",
      dependencies: [
        "App",
        .product(name: "StreamsTesting", package: "stream-scenarios"),
      ],
      exclude: ["Snapshots"]),
  ]
)
