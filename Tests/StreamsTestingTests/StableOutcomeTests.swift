import Foundation
import Streams
import StreamsTesting
import Testing

/// Equal outcomes are equal, although Swift's own texts of sets, dictionaries and errors aren't.
@Suite struct StableOutcomeTests {
  private static let words = ["alpha", "bravo", "charlie", "delta", "echo"]

  private struct Failed: Error {
    let words: Set<String>
  }

  /// The words in an order that depends on what comes first, in collections that don't keep it.
  private static func collections(
    _ words: some Publisher<String, Never>
  ) -> AnyPublisher<[Any], Never> {
    words.collect().map { words in
      let counts = Dictionary(uniqueKeysWithValues: words.map { ($0, $0.count) })
      return [
        Set(words), counts, NSError(domain: "app", code: 1, userInfo: counts),
        Failed(words: Set(words)),
      ]
    }
    .eraseToAnyPublisher()
  }

  /// The usual order and another one make equal sets, in another order of insertion.
  @Test(arguments: [nil, "all"])
  func anOrderThatDoesNotMatterDoesNotFailATest(lane: String?) {
    let messages = issues {
      expectSameInEveryOrder { world in
        let words = Self.words.map { world.cold("-\($0.prefix(1))|", [$0.first!: $0]) }
        _ = world.record(Self.collections(Publishers.MergeMany(words)), as: lane)
        world.run()
      }
    }
    #expect(messages == [])
  }

  @Test func anOutcomeIsShownInAStableText() {
    let messages = issues {
      expectSameInEveryOrder { world in
        let first = Locked("")
        for word in ["a", "b"] {
          world.hot("-\(word)|").sink { word in first.withLock { $0 = $0 == "" ? word : $0 } }
            .store(in: &world.cancellables)
        }
        world.run()
        return ["first": [first.withLock { $0 }], "words": Self.words, "more": [], "none": []]
      }
    }
    let lines = messages.first?.split(separator: "\n").filter { $0.contains("words") }
    let list = #"["alpha", "bravo", "charlie", "delta", "echo"]"#
    #expect(
      lines == [
        #"  ["first": ["a"], "more": [], "none": [], "words": \#(list)]"#,
        #"  ["first": ["b"], "more": [], "none": [], "words": \#(list)]"#,
      ])
  }

  @Test func anErrorOfTheBodyIsShownInAStableText() throws {
    let messages = try issues {
      try expectSameInEveryOrder { world in
        let first = Locked("")
        for word in ["a", "b"] {
          world.hot("-\(word)|").sink { word in first.withLock { $0 = $0 == "" ? word : $0 } }
            .store(in: &world.cancellables)
        }
        world.run()
        if first.withLock({ $0 == "b" }) { throw Failed(words: Set(Self.words)) }
        return 1
      }
    }
    let list = #"["alpha", "bravo", "charlie", "delta", "echo"]"#
    #expect(messages.first?.contains("the body threw Failed(words: Set(\(list)))") == true)
  }

  /// Faults whose endings are equal stand together.
  @Test func equalEndingsAreOne() {
    expectEndings { world in
      var result: [String: Any] = [:]
      world.network.stub(
        .get, "https://example.com/a", responses: .text("12", after: .milliseconds(5)))
      world.session.dataTaskPublisher(for: URL(string: "https://example.com/a")!)
        .map { String(decoding: $0.data, as: UTF8.self) }
        .tryMap { text in
          guard text == "12" else {
            throw NSError(domain: "app", code: 1, userInfo: ["b": Set(Self.words), "a": 1])
          }
          return text
        }
        .sink { completion in
          if case .failure(let error) = completion, !(error is URLError) { result["error"] = error }
          result["words"] = Set(Self.words)
          result["count"] = Self.words.count
        } receiveValue: {
          result["text"] = $0
        }
        .store(in: &world.cancellables)
      world.run()
      return result
    }
  }

  @Test func marblesAndMessagesHaveStableTexts() {
    let list = #"["alpha", "bravo", "charlie", "delta", "echo"]"#
    let messages = issues {
      withWorld { world in
        let recorder = world.record(Just(Set(Self.words)))
        world.run()
        expectMarbles(recorder, "(a|)", ["a": Set(["x"])])
        #expect(recorder.events[1].description == "value \(list) at 0")
      }
    }
    #expect(messages.first?.contains("b: \(list)") == true)
    let failure = TimedEvent<Int, Failed>.failure(Failed(words: Set(Self.words)), at: .zero)
    let other = TimedEvent<Int, Failed>.failure(
      Failed(words: Set(Self.words.reversed())), at: .zero)
    #expect(failure == other)
    #expect("\(failure)".hasPrefix(#"failure Failed(words: Set(["alpha", "bravo", "#))
  }
}
