// swift-tools-version: 6.1

import PackageDescription

/// An app that says `import Combine`, and a library that declares what Combine got only later, as
/// libraries for older systems do. Both are compiled in Swift 6 and, through links, in Swift 5.
let package = Package(
  name: "CombineApp",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../stream-scenarios")
  ],
  targets: [6, 5].flatMap { version -> [Target] in
    let suffix = version == 6 ? "" : "5"
    let settings: [SwiftSetting] = version == 6 ? [] : [.swiftLanguageMode(.v5)]
    return [
      .target(
        name: "CombineApp\(suffix)",
        dependencies: [
          .product(
            name: "Combine", package: "stream-scenarios", condition: .when(platforms: [.linux]))
        ],
        swiftSettings: settings),
      .target(
        name: "OlderSystems\(suffix)",
        dependencies: [
          .product(
            name: "Combine", package: "stream-scenarios", condition: .when(platforms: [.linux]))
        ],
        swiftSettings: settings),
      .testTarget(
        name: "CombineAppTests\(suffix)",
        dependencies: [
          .target(name: "CombineApp\(suffix)"), .target(name: "OlderSystems\(suffix)"),
          .product(
            name: "StreamsTesting", package: "stream-scenarios",
            condition: .when(platforms: [.linux])),
        ],
        swiftSettings: settings),
    ]
  }
)
