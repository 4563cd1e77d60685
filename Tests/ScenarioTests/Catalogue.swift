import Foundation
import TestSupport

/// The scenarios, as the manifest lists them.
enum Catalogue {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The flags that single scenarios have in addition to the common ones.
  static let flags = ["search-as-you-type": "--without-switch"]

  /// The scenarios with a subscriber of their own, which asks for values whenever it likes.
  static let asking: Set = ["demand"]

  /// The events that pages explain, as the arguments that ask for them.
  static let explained = ["retry-then-fallback": ["--why", "quote: No quote today."]]

  /// The moments that pages show, as the arguments that ask for them.
  static let shownMoments = ["search-as-you-type": ["--until", "600ms"]]

  /// Sweeps of one thing that pages show, as the arguments that ask for them.
  static let shownSweeps = [
    "keep-it-alive": ["--part", "2", "--sweep", "--only", "action 5"],
    "search-as-you-type": [
      "--without-switch", "--part", "1", "--sweep", "--only", "GET /search?q=sw",
    ],
    "throttle-or-debounce": ["--part", "2", "--sweep", "--only", "action 5"],
  ]

  /// The kind of such a sweep's snapshot.
  static func kindOfSweep(of scenario: String) -> SnapshotKind {
    let arguments = shownSweeps[scenario] ?? []
    return flags[scenario].map(arguments.contains) ?? false ? .variantSweepOfOne : .sweepOfOne
  }

  /// Lasting faults that pages show, as the arguments that ask for them.
  static let shownLastingFaults = [
    "retry-then-fallback": ["--faults", "--lasting", "--part", "1"]
  ]

  /// Orders that lead to another outcome, as the arguments that ask for them. Pages show pictures.
  static let otherOrders = [
    "from-handler-to-publisher": ["--part", "2", "--replay", "1120ms:1"],
    "refresh-once": ["--part", "1", "--replay", "150ms:1"],
    "search-as-you-type": ["--without-switch", "--part", "2", "--replay", "1200ms:1"],
    "share-single-load": ["--part", "3", "--replay", "120ms:1"],
  ]

  static let scenarios: [String] = {
    guard
      let manifest = try? String(
        contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8),
      let start = manifest.range(of: "let scenarios = [\n"),
      let end = manifest.range(of: "\n]", range: start.upperBound..<manifest.endIndex)
    else { return [] }
    return manifest[start.upperBound..<end.lowerBound].split(separator: "\n").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " \","))
    }
  }()

  /// The scenarios to test: all of them, or the one that `TEST_SCENARIO` names.
  ///
  /// It's never empty, because a test without arguments would pass.
  static func tested(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(UnknownScenario) -> [String] {
    let name = environment["TEST_SCENARIO"] ?? ""
    let tested = name.isEmpty ? scenarios : scenarios.filter { $0 == name }
    guard !tested.isEmpty else { throw UnknownScenario(name: name) }
    return tested
  }

  struct UnknownScenario: Error, Equatable, CustomStringConvertible {
    let name: String

    var description: String {
      "TEST_SCENARIO is '\(name)', expected one of: \(scenarios.joined(separator: " "))"
    }
  }
}
