// swift-tools-version: 6.1

import PackageDescription

/// A library as others have it: with an API for Combine, and without a dependency on this project.
let package = Package(
  name: "TakenByURL",
  products: [.library(name: "TakenByURL", targets: ["TakenByURL"])],
  targets: [.target(name: "TakenByURL")]
)
