// swift-tools-version: 6.3

import PackageDescription

/// A package of its own, so that the main package has no dependencies.
let package = Package(
  name: "scenario-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of the clone may have any name.
    .package(name: "stream-scenarios", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(
      name: "ScenarioServer",
      dependencies: [
        .product(name: "TodoAPI", package: "stream-scenarios"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "scenario-server",
      dependencies: [
        "ScenarioServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Requests and the replies that each server of the API has to give.
    .target(
      name: "TodoConversation",
      dependencies: [.product(name: "TodoAPI", package: "stream-scenarios")],
      path: "Tests/TodoConversation"),
    .testTarget(
      name: "TodoAPITests",
      dependencies: [
        "TodoConversation",
        .product(name: "TodoAPI", package: "stream-scenarios"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ]),
    // Starts and stops servers and scenarios, for the tests and for the two programs below.
    .target(name: "ServerTestSupport", path: "Tests/ServerTestSupport"),
    // The server with other limits, for the tests.
    .executableTarget(
      name: "limited-server", dependencies: ["ScenarioServer"], path: "Tests/limited-server"),
    // Measures the server under load: `make server-load`.
    .executableTarget(
      name: "server-load",
      dependencies: [
        "ServerTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/server-load", exclude: ["install.sh"]),
    // Runs the scenarios against bad servers: `make server-trial`.
    .executableTarget(
      name: "server-trial",
      dependencies: [
        "ServerTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/server-trial"),
    .testTarget(
      name: "ScenarioServerTests",
      dependencies: [
        "ScenarioServer", "scenario-server", "limited-server", "server-load", "server-trial",
        "ServerTestSupport", "TodoConversation",
        .product(name: "TodoAPI", package: "stream-scenarios"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
