import Foundation
import Streams
import Testing

@testable import Timeline

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Row: Hashable {
  var name = "Ada"
  var tags: Set<String> = []
}

private enum Choice: Hashable {
  case none
  case one(Int)
  case named(row: Row)
  case two(Int, tags: Set<String>)
  case left(Side)
  indirect case nested(Choice)
}

private enum Side { case left }

private final class Box: @unchecked Sendable {
  var content = 1
  var other: Box?
}

private final class Model: NSObject, @unchecked Sendable {}

private final class Named: CustomStringConvertible {
  var description: String { "the named one at \(Unmanaged.passUnretained(self).toOpaque())" }
}

private struct Own: CustomStringConvertible, CustomDebugStringConvertible, Hashable {
  let id: Int
  var description: String { "own \(id)" }
  var debugDescription: String { "debug \(id)" }
}

private struct Streamed: TextOutputStreamable {
  func write<Target: TextOutputStream>(to target: inout Target) { target.write("streamed") }
}

private struct Mirrored: CustomReflectable {
  let style: Mirror.DisplayStyle
  var customMirror: Mirror {
    Mirror(
      self, children: ["tags": Set(["b", "a", "c"]), "row": Row()] as KeyValuePairs<String, Any>,
      displayStyle: style)
  }
}

private struct WeakOnes {
  weak var weak: Box?
  unowned let unowned: Box
  let closure: (Int) -> Int
}

private struct Generic<Value> { let value: Value }

private actor Counter {}

private enum Failed: Error { case one }

private final class ObjectError: Error {}

private struct Holder { let error: any Error }

private enum Outcome { case failure(any Error) }

private struct Path {
  var stored = 1
  var computed: Int { stored }
}

/// Values whose own texts differ from run to run, with their stable texts.
private func unstableValues() -> [(value: Any, text: String)] {
  struct Local: Hashable { var x = 1 }
  final class LocalClass {}
  let tags = Set(["delta", "alpha", "echo", "charlie", "bravo"])
  let sorted = #"["alpha", "bravo", "charlie", "delta", "echo"]"#
  let counts = Dictionary(uniqueKeysWithValues: tags.map { ($0, $0.count) })
  let sortedCounts = #"["alpha": 5, "bravo": 5, "charlie": 7, "delta": 5, "echo": 4]"#
  let info: [String: Any] = ["b": tags, "a": Local(), "c": Box(), "d": "text"]
  let error = NSError(domain: "app", code: 7, userInfo: info)
  let infoText =
    "UserInfo={a=Local(x: 1), b=\(sorted), c=TimelineTests.Box, d=text}"
  let errorText = #"Error Domain=app Code=7 "(null)""# + infoText
  let row = Row(tags: tags)
  let rowText = #"TimelineTests.Row(name: "Ada", tags: Set(\#(sorted)))"#
  let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  defer { pointer.deallocate() }
  let url = URL(fileURLWithPath: "/")
  var attributed = AttributedString("a")
  (attributed.link, attributed.languageIdentifier) = (url, "en")
  attributed.alternateDescription = "b"
  return [
    (tags, sorted), (counts, sortedCounts), (counts.keys, sorted),
    (counts.values, "[4, 5, 5, 5, 7]"),
    (row, #"Row(name: "Ada", tags: Set(\#(sorted)))"#), ([row], "[\(rowText)]"),
    (Set([3, 20, 100, -1]), "[-1, 3, 20, 100]"), ([20.5: 1, 3: 2], "[3.0: 2, 20.5: 1]"),
    ([1 as AnyHashable: "a", "x": "b"], #"[AnyHashable(1): "a", AnyHashable("x"): "b"]"#),
    (Optional(tags) as Any, "Optional(Set(\(sorted)))"),
    (
      (tags, y: Local()),
      "(Set(\(sorted)), y: TimelineTests.Local(x: 1))"
    ),
    (Choice.two(1, tags: tags), "two(1, tags: Set(\(sorted)))"),
    (Choice.named(row: row), "named(row: \(rowText))"),
    (Choice.nested(.one(1)), "nested(TimelineTests.Choice.one(1))"),
    (Choice.left(.left), "left(TimelineTests.Side.left)"),
    ([Choice.none], "[TimelineTests.Choice.none]"),
    (Result<Int, NSError>.failure(error), "failure(\(errorText))"),
    (
      [1, 2].lazy.map { _ in Local() },
      "LazyMapSequence<Array<Int>, Local>(_base: [1, 2], _transform: (Function))"
    ),
    (["k": tags] as KeyValuePairs, #"["k": Set(\#(sorted))]"#), ([row][...], "[\(rowText)]"),
    (ContiguousArray([row]), "[\(rowText)]"), (CollectionOfOne(row), "CollectionOfOne(\(rowText))"),
    (AnyHashable(row), #"Row(name: "Ada", tags: Set(\#(sorted)))"#),
    (Generic(value: row), "Generic<Row>(value: \(rowText))"),
    ([Generic(value: 1)], "[TimelineTests.Generic<Swift.Int>(value: 1)]"),
    (error, errorText), ([error], "[\(errorText)]"),
    (
      CocoaError(.fileNoSuchFile, userInfo: info),
      #"Error Domain=NSCocoaErrorDomain Code=4 "The file doesn’t exist.""# + infoText
    ),
    (URLError(.timedOut, userInfo: info), "URLError.timedOut"),
    ([URLError(.timedOut)], "[URLError.timedOut]"),
    (
      Notification(name: .init("saved"), object: Box(), userInfo: ["b": 1, "a": tags]),
      "name = saved, object = TimelineTests.Box, "
        + #"userInfo = [AnyHashable("a"): Set(\#(sorted)), AnyHashable("b"): 1]"#
    ),
    (counts as NSDictionary, sortedCounts.replacing("\"", with: "")),
    (NSSet(array: [3, 20, 100]), "[3, 20, 100]"), ([1, 20.5] as NSArray, "[1, 20.5]"),
    (
      Failed.one as NSError as Any,
      #"Error Domain=TimelineTests.Failed Code=0 "(null)""#
    ),
    (
      Failed.one.localizedDescription,
      "The operation could not be completed. (TimelineTests.Failed error 0.)"
    ),
    (
      EncodingError.invalidValue(row, .init(codingPath: [], debugDescription: "d")),
      "EncodingError.invalidValue: \(rowText) (Row). Debug description: d"
    ),
    (attributed, "a {\n\tNSAlternateDescription = b\n\tNSLanguage = en\n\tNSLink = file:///\n}"),
    (NSOrderedSet(array: ["b", "a"]), #"["b", "a"]"#),
    (["\(String(reflecting: Local.self))"], #"["TimelineTests.Local"]"#),
    (Box(), "TimelineTests.Box"), (LocalClass(), "TimelineTests.LocalClass"),
    (Model(), "<Model>"), ([Model()], "[<Model>]"), (Named(), "the named one at"),
    (Counter(), "TimelineTests.Counter"), (Box.self, "Box"), ([Box.self], "[TimelineTests.Box]"),
    (ObjectIdentifier(Box()), "ObjectIdentifier"), (pointer, "UnsafeMutablePointer<Int>"),
    (UnsafeBufferPointer(start: pointer, count: 1), "UnsafeBufferPointer<Int>"),
    (CombineIdentifier(), "CombineIdentifier"), (counts.startIndex, "Index"),
    (\Path.computed, #"\Path.<computed (Int)>"#), (\Path.stored, #"\Path.stored"#),
    (
      Mirrored(style: .struct),
      #"Mirrored(tags: Set(["a", "b", "c"]), row: TimelineTests.Row(name: "Ada", tags: Set([])))"#
    ),
    (Mirrored(style: .dictionary), "TimelineTests.Mirrored"),
    (
      URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil),
      "<URLResponse>"
    ),
    ([HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: nil)!], "[404]"),
    (OperationQueue(), "<OperationQueue>"),
    (Subscribers.Completion<NSError>.failure(error), "failure(\(errorText))"),
  ]
}

private func onOneLine(_ text: String) -> String { text.replacing("\n", with: "/") }

struct PointInTests: Hashable { let x: Int }

@Suite struct StableTextTests {
  /// Where Swift's own text is the same in every run, this one is the same as Swift's.
  /// The values of a mirror can be of type `any Error`, whose box isn't the error.
  @Test(arguments: [
    (ObjectError() as any Error, "TimelineTests.ObjectError"),
    (NSError(domain: "app", code: 7), #"Error Domain=app Code=7 "(null)""#),
    (Failed.one, "TimelineTests.Failed.one"),
  ])
  func anErrorInAnotherValue(error: any Error, text: String) {
    #expect(stableText(Holder(error: error)) == "Holder(error: \(text))")
    #expect(stableText(Outcome.failure(error)) == "failure(\(text))")
    #expect(stableText(Result<Int, any Error>.failure(error)) == "failure(\(text))")
    #expect(stableText((error, 1)) == "(\(text), 1)")
    #expect(stableText([error]) == "[\(text)]")
    #expect(stableText(["k": error]) == "[\"k\": \(text)]")
    #expect(stableText(Optional(error) as Any) == "Optional(\(text))")
  }

  @Test func isSwiftsTextWhereThatIsStable() {
    let values: [Any] = [
      1, -0.5, true, "a\"b", Character("c"), "abc".prefix(2), UInt8(7), Float.infinity,
      Optional(1) as Any, Int?.none as Any, Int??.some(nil) as Any, [1, 2], ["a"], [[1], []],
      [1: 2],
      [Int: Int](), Set([1]), Set<Int>(), ["a": 1].keys, ["a": 1].values,
      ["a": 1, "b": 2] as KeyValuePairs,
      [:] as KeyValuePairs<Int, Int>, [1, 2][...], ContiguousArray([1]), CollectionOfOne("x"),
      1..<3, 1...3, 1..., ...3, ..<3, AnyHashable("a"), (), (1, "a"), (x: 1, 2), (1 as Any?) as Any,
      Own(id: 1),
      [Own(id: 1)], Streamed(), [Streamed()], PointInTests(x: 1),
      [Timeline.Lane("a", role: .source)],
      Timeline.Lane.Role.source, Result<Int, Never>.success(1), Int.self, [Int.self],
      { (x: Int) in x },
      DateComponents(year: 1), Date(timeIntervalSince1970: 0),
      UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any, Decimal(3),
      URL(fileURLWithPath: "/a"), URLRequest(url: URL(fileURLWithPath: "/a")), Data([1, 2]),
      NSError(domain: "a", code: 1), NSError(domain: "a", code: 1, userInfo: ["k": "v"]),
      NSNumber(3), NSString("a"), NSNull(), IndexSet([1]), Notification.Name("n"),
      Notification(name: .init("n")), [1, 2].lazy.map { $0 }, AnySequence([1]), [1, 2].reversed(),
      Unicode.Scalar(65) as Any, Duration.seconds(1), "x" as Substring, [1, "a", nil] as [Any?],
      Timeline.Event.Kind.value("a"), TimeZone(identifier: "UTC") as Any,
    ]
    for value in values {
      #expect(stableText(value) == String(describing: value))
      #expect(stableDebugText(value) == String(reflecting: value))
      #expect(stableText([value]) == String(describing: [value]))
    }
  }

  @Test func isTheSameForEveryKindOfValue() {
    for (value, text) in unstableValues() { #expect(stableText(value) == text) }
  }

  /// In other processes, sets and dictionaries have other orders, and types other addresses.
  @Test func isTheSameInEveryProcess() async throws {
    let texts = unstableValues().map { onOneLine(stableText($0.value)) }
    var own: Set<String> = [Self.ownTexts()]
    for _ in 1...3 {
      let result = try #require(
        await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
          for (value, _) in unstableValues() { print("stable:", onOneLine(stableText(value))) }
          print("own:", StableTextTests.ownTexts())
          fflush(nil)
        })
      let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(
        separator: "\n")
      #expect(lines.filter { $0.hasPrefix("stable: ") }.map { String($0.dropFirst(8)) } == texts)
      own.formUnion(lines.filter { $0.hasPrefix("own: ") }.map { String($0.dropFirst(5)) })
    }
    // Otherwise, this test couldn't fail.
    #expect(own.count > 1)
  }

  private static func ownTexts() -> String { "\(Set(0..<20)) \([Row()])" }

  @Test func isTheSameForEqualCollections() {
    let words = (1...200).map { "word \($0)" }
    var first = Set(words)
    var second = Set<String>(minimumCapacity: 5_000)
    for word in words.reversed() { second.insert(word) }
    #expect(first == second && "\(first)" != "\(second)")
    #expect(stableText(first) == stableText(second))
    first.remove("word 7")
    #expect(stableText(first) != stableText(second))
  }

  @Test func tellsWhatIsInsideAnObjectOnlyIfTheObjectDoes() {
    let (first, second) = (Box(), Box())
    (first.other, second.other) = (second, first)
    #expect(stableText([first, second]) == "[TimelineTests.Box, TimelineTests.Box]")
    let ones = WeakOnes(weak: first, unowned: second) { $0 }
    #expect(
      stableText(ones)
        == "WeakOnes(weak: Optional(TimelineTests.Box), unowned: TimelineTests.Box, closure: (Function))"
    )
  }

  /// Doubled sixty times, the list would have more parts than can be counted.
  @Test func isShortForAListWithTooManyParts() {
    let list = (1...60).reduce([1] as [Any]) { list, _ in [list, list] }
    #expect(stableText(list) == "Array<Any> with more than 100000 parts")
    #expect(stableText(["a": list]) == "Dictionary<String, Array<Any>> with more than 100000 parts")
  }

  @Test func isCutWhereAValueIsVeryDeep() {
    let deep = (1...1_000).reduce(Choice.none) { choice, _ in .nested(choice) }
    let text = stableText(deep)
    #expect(text.contains("…"))
    #expect(text.count < 10_000)
  }

  /// A thread that isn't the main one has a small stack.
  @Test func fitsOnASmallStack() {
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let deep = (1...1_000).reduce(Choice.none) { choice, _ in .nested(choice) }
      _ = stableText(deep)
      isDone.signal()
    }
    thread.stackSize = 512 * 1_024
    thread.start()
    isDone.wait()
  }

  @Test func aLongListOfNumbersIsWhole() {
    let numbers = Array(1...200_000)
    #expect(stableText(numbers) == "\(numbers)")
    #expect(
      stableText(numbers.map { Generic(value: $0) })
        == "Array<Generic<Int>> with more than 100000 parts")
    #expect(stableText(Set(numbers)) == "Set<Int> with more than 100000 parts")
  }
}
