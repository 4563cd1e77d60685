import Streams
import Testing
import Timeline
import VirtualTime
import VirtualWorld

extension World {
  /// Fails the test if a publisher delivers something off the main queue.
  ///
  /// ```swift
  /// let model = SearchModel(session: world.session)
  /// world.expectsMainQueue(for: model.$rows)
  /// ```
  ///
  /// A response arrives on its session's queue, and so does all that follows from it, until a
  /// `receive(on:)`. In an app, a view that's changed there may crash or keep its old looks. In a
  /// test, nothing shows it, because one thread does all. So the world knows which code would run
  /// where, and reports the first value or completion that arrives elsewhere, with the line of your
  /// code that sent it. What the test itself sends may arrive on any thread.
  ///
  /// This subscribes until the world ends. So pass what you can watch without starting work: a
  /// property such as `model.$rows`, `model.objectWillChange`, a subject, or a shared publisher. A
  /// cold one, such as a data task, would make its request once more.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to watch.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  public func expectsMainQueue(
    for publisher: some Publisher, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line
  ) {
    let source = Problem.Source(fileID: fileID, filePath: filePath, line: line)
    let arrivals = Locked<(first: ArrivalOffMain?, count: Int)>((nil, 0))
    expect(canFollowFromEarlyEnd: false) {
      let (first, count) = arrivals.withLock { $0 }
      return first.map { Problem(message: $0.message(andMore: count - 1), source: source) }
    }
    let note = { [weak self] (signal: () -> String) in
      guard let self, let place = placeOffMain else { return }
      let isFirst = arrivals.withLock { arrivals in
        arrivals.count += 1
        return arrivals.count == 1
      }
      guard isFirst else { return }
      let arrival = ArrivalOffMain(signal: signal(), time: clock.now, place: place)
      arrivals.withLock { $0.first = arrival }
    }
    enter {
      publisher.sink { completion in
        note {
          switch completion {
          case .finished: "the end"
          case .failure(let error): "the failure \(shortText(of: error))"
          }
        }
      } receiveValue: { value in
        note { value is Void ? "a value" : "the value \(shortText(of: value))" }
      }
      .store(in: &cancellables)
    }
  }
}

/// Something that a publisher delivered off the main queue.
private struct ArrivalOffMain {
  let signal: String
  let time: VirtualTime
  /// Where it arrived, in words.
  let place: String
  /// The code that sent it.
  let site = CallSite()

  func message(andMore count: Int) -> String {
    let more = count == 0 ? "" : " and \(count) more"
    let sender = site.source.map { ", sent at \($0.fileName):\($0.line)" } ?? ""
    return "\(signal)\(more) arrived off the main queue at \(time)\(sender): \(place). Put "
      + "receive(on: DispatchQueue.main) in front of what sends it"
  }
}
