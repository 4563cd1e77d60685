import Foundation
import Testing

struct PipelineGeneratorTests {
  private static let cases = (0..<2_000).map { PipelineGenerator().makeCase(seed: 12, index: $0) }

  @Test func theSameSeedAndIndexGiveTheSameCase() {
    let again = PipelineGenerator().makeCase(seed: 12, index: 5)
    #expect(code(of: again) == code(of: Self.cases[5]))
    #expect(Set(Self.cases.map(code)).count > 1_900)
  }

  @Test func usesEveryOperatorOftenEnough() {
    let names = Self.cases.flatMap { $0.pipeline.allOperators.map(\.kind.name) }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    for kind in OperatorKind.all { #expect(counts[kind.name, default: 0] > 20, "\(kind.name)") }
  }

  @Test func mostCasesHaveAnExactModelAndValues() {
    let limited = Self.cases.filter { $0.demand != .unlimited }
    let models = Self.cases.map { testCase in
      let isWhole = testCase.comparison == .whole
      return ReferenceModel(testCase: isWhole ? testCase.withUnlimitedDemand : testCase).signals
    }
    #expect(Self.cases.count { $0.isExact || $0.comparison == .whole } > 1_800)
    #expect(Self.cases.count { $0.isExact } > 1_400)
    #expect(limited.count { $0.isExact } > 400)
    #expect(Self.cases.count { $0.cancel != nil } > 300)
    #expect(models.count { $0.contains { !$0.signal.isEnd } } > 900)
    // Two signals at one instant other than the first.
    let ties = models.count { signals in
      zip(signals, signals.dropFirst()).contains {
        $0.moment.time == $1.moment.time && $0.moment.time > 0
      }
    }
    #expect(ties > 200)
  }

  /// Each file of an operator has a model, or a reason why it has none.
  @Test func noOperatorIsForgotten() throws {
    let reasons = [
      "AssertNoFailure": "stops the program if upstream fails",
      "MakeConnectable": "needs a stream that can't fail; it's a multicast",
      "SetFailureType": "needs a stream that can't fail; the sources use it",
      "Merge+Fusion": "the same operator",
    ]
    let names = [
      "MapKeyPath": "map(key path)", "Encode": "encode and decode", "Decode": "encode and decode",
      "CollectByCount": "collect(_:)", "CollectByTime": "collect(byTime)",
      "Comparison": "min(by:)", "TryComparison": "tryMin(by:)", "Autoconnect": "multicast",
      "Concatenate": "append", "Drop": "dropFirst", "Output": "output(in:)",
      "Buffer": "buffer(.byRequest, .dropOldest)", "Merge3To8": "merge(2 to 8)",
      "Throttle": "throttle(latest: true)",
      "ReceiveOn": "receive(on:)", "SubscribeOn": "subscribe(on:)",
      "PrefixUntilOutput": "prefix(untilOutputFrom:)",
      "DropUntilOutput": "drop(untilOutputFrom:)",
    ]
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../Sources/Streams/Operators").standardized
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    let modelled = Set(OperatorKind.all.map(\.name))
    var count = 0
    for case let path as String in files where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      // A file that adds no method to publishers is a part of an operator next to it.
      guard text.contains("extension Publisher"), text.contains("  public func ") else { continue }
      count += 1
      let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      if reasons[file] != nil { continue }
      let name = names[file] ?? file.prefix(1).lowercased() + file.dropFirst()
      let variants =
        [name]
        + ["Where", "While"].filter(name.hasSuffix).map {
          "\(name.dropLast($0.count))(\($0.lowercased()):)"
        }
      #expect(!modelled.isDisjoint(with: variants), "\(path) needs an entry in OperatorKind")
    }
    #expect(count > 60)
  }

  private func code(of testCase: PipelineCase) -> String {
    PipelinePrinter(testCase: testCase, problem: .none).code()
  }
}
