// swift-tools-version: 6.3

import PackageDescription

/// A package of its own, so that the main package has no dependencies.
let package = Package(
  name: "play",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "play",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
