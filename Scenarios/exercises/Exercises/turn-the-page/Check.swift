import ExerciseKit

let check = Check(
  learned:
    "A publisher sends only what was asked for. Requests add up, and you can ask at any time.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let turns = attempt.script(
    "-----t------t", or: ["t"], count: 0...5, gaps: 0...3, endings: [.none])
  attempt.show("turns", turns)
  // More pages than anyone turns to, or only a few.
  let count = attempt.pick(6, or: [1, 2, 4, 9, 9, 9])
  let pages = "abcdefghi".prefix(count).map { String($0) }
  // On the page, the book has all its pages at once. Another one may be written only now.
  let isWritten = attempt.pick(true, or: [true, true, false])
  let times = pages.map { _ in isWritten ? 0 : 10 * attempt.pick(0, or: 0...3) }
    .reduce(into: [Int]()) { $0.append(($0.last ?? 0) + $1) }
  let book = Script(Array(zip(pages, times).map { (value: $0, time: $1) }), end: times.last!)
  if !isWritten { attempt.show("book", book) }

  // A page is shown when the book has it, and when it's been asked for.
  let requests = [0, 0] + turns.values.map(\.time)
  let shown = Script(
    zip(book.values, requests).map { page, request in (page.value, max(page.time, request)) })

  let reader = Reader(show: attempt.expectCalls(shown))
  for turn in turns.values { attempt.at(turn.time) { reader.turnPage() } }
  var sent: [String] = []
  let source =
    isWritten
    ? pages.publisher.eraseToAnyPublisher() : attempt.hiddenSource(book).eraseToAnyPublisher()
  source.handleEvents(receiveOutput: { sent.append($0) }).subscribe(reader)
  if isWritten {
    var sentAtFirst = 0
    attempt.at(5) { sentAtFirst = sent.count }
    attempt.expectCount(
      "pages sent by the book at first", shown.values.count { $0.time == 0 }
    ) { sentAtFirst }
  }
  attempt.expectCount("pages sent by the book", shown.values.count) { sent.count }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let sent = outcome.count("pages sent by the book")
  let atOnce = outcome.count("pages sent by the book at first")
  if atOnce != 2 {
    return
      "At 0 ms, the book sent \(atOnce) \(atOnce == 1 ? "page" : "pages") instead of two, because it sends as many as you "
      + "ask for." + (atOnce > 2 ? " All of them are in memory now." : "")
  }
  if sent == 2 {
    return "After the first two pages you never asked again, so nothing came when the page was "
      + "turned at 50 ms."
  }
  let later = outcome.values().count { $0.time == 50 }
  if later != 1 {
    return "When the page was turned at 50 ms, \(later) pages came instead of one."
  }
  return nil
}
