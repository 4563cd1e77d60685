// swift-tools-version: 6.1

import PackageDescription

/// An app that takes a library by URL. `Tests/outside-test.sh` makes a repository of the library.
let package = Package(
  name: "App",
  dependencies: [
    .package(path: "../stream-scenarios"),
    .package(url: "../taken-by-url", branch: "main"),
  ],
  targets: [
    .executableTarget(
      name: "App",
      dependencies: [
        .product(name: "TakenByURL", package: "taken-by-url"),
        .product(
          name: "Combine", package: "stream-scenarios", condition: .when(platforms: [.linux])),
      ])
  ]
)
