import Dispatch
import Foundation
import Streams
import Testing

@testable import ScenarioKit

/// The way of a server's bytes through a session's thread, up to the limits.
@Suite struct ArrivalTests {
  private let server: ServerURL

  init() throws { server = try ServerURL("http://127.0.0.1:8080") }

  @Test func aBodyHasALimit() {
    var state = ArrivalState()
    let half = Data(count: ResponseLimits.bodyBytes / 2)
    let fits = [half, half, Data(count: 1), half].map { state.receive($0, keeps: true) }
    #expect(fits == [true, true, false, false])
    #expect(state.failure == .dataLengthExceedsMaximum)
    #expect(state.body.isEmpty)
    #expect((state.result(URLError(.cancelled)) as? URLError)?.code == .dataLengthExceedsMaximum)
  }

  @Test func tinyChunksCountMore() {
    var state = ArrivalState()
    var count = 0
    while state.receive(Data(count: 1), keeps: false) { count += 1 }
    #expect(count == ResponseLimits.bodyBytes / ResponseLimits.leastBytesOfChunk)
  }

  @Test func aRedirectLoopFails() throws {
    var state = ArrivalState()
    let url = URL(string: "http://127.0.0.1:8080/loop")
    let redirections = (1...12).map { _ in state.redirect(to: url, of: server) }
    #expect(redirections == Array(repeating: .follow, count: 10) + [.refuse, .ignore])
    #expect((state.result(nil) as? URLError)?.code == .httpTooManyRedirects)
  }

  /// Foundation traps on a decision about a redirect after the task was cancelled.
  @Test func aCancelledTaskDecidesNothing() {
    var state = ArrivalState()
    state.cancel()
    #expect(state.redirect(to: URL(string: "http://127.0.0.1:8080/"), of: server) == .ignore)
    #expect(state.failure == nil)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080/elsewhere?a=b", true), ("HTTP://127.0.0.1:8080", true),
    ("http://127.0.0.1/elsewhere", false), ("https://127.0.0.1:8080/", false),
    ("http://127.0.0.1:8081/", false), ("http://localhost:8080/", false),
    ("http://127.0.0.1.example.com:8080/", false), ("http://127.0.0.1:8080@example.com/", false),
    ("file:///etc/hosts", false), ("file://127.0.0.1:8080/etc/hosts", false),
    ("ftp://127.0.0.1:8080/", false),
  ])
  func onlyRedirectsOnTheServerAreFollowed(url: String, isFollowed: Bool) {
    var state = ArrivalState()
    #expect(
      state.redirect(to: URL(string: url), of: server) == (isFollowed ? .follow : .refuse))
    #expect(state.failure == nil)
  }

  @Test func theSchemeImpliesThePort() throws {
    #expect(try ServerURL("http://a").contains(URL(string: "http://A:80/b")))
    #expect(try ServerURL("https://a:443").contains(URL(string: "https://a/b")))
    #expect(try !ServerURL("https://a").contains(URL(string: "https://a:80/b")))
    #expect(try !ServerURL("http://a").contains(nil))
  }

  private func response(_ status: Int) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "http://127.0.0.1:8080/"))
    return try #require(
      HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
  }

  @Test func aResponseThatAsksForCredentialsIsTheResult() throws {
    var state = ArrivalState()
    #expect(state.receive(try response(401)))
    state.challenge()
    #expect(state.result(URLError(.cancelled)) == nil)
  }

  @Test func anEndWithoutAResponseIsAnError() throws {
    #expect((ArrivalState().result(nil) as? URLError)?.code == .badServerResponse)
    #expect((ArrivalState().result(URLError(.timedOut)) as? URLError)?.code == .timedOut)
    var state = ArrivalState()
    #expect(state.receive(try response(204)))
    #expect(state.result(nil) == nil)
  }

  @Test func onlyTheFinalResponseIsPassedOn() throws {
    var state = ArrivalState()
    let isFinal = try [100, 103, 200].map { state.receive(try response($0)) }
    #expect(isFinal == [false, false, true])
    #expect((state.response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func interimResponsesHaveALimit() throws {
    var state = ArrivalState()
    let interim = try response(100)
    var count = 0
    while state.isOpen {
      _ = state.receive(interim)
      count += 1
    }
    #expect(count == ResponseLimits.bodyBytes / ResponseLimits.leastBytesOfChunk + 1)
    #expect(state.failure == .dataLengthExceedsMaximum)
  }

  /// Without it, a server that sends faster than callbacks run fills the memory.
  @Test func operationsDoNotPileUp() {
    let queue = ArrivalQueue()
    let added = Locked(0)
    let mostWaiting = Locked(0)
    let isDone = DispatchSemaphore(value: 0)
    for number in 1...2_000 {
      added.withLock { $0 = number }
      queue.addOperation {
        let waiting = added.withLock { $0 } - number
        mostWaiting.withLock { $0 = max($0, waiting) }
        // Slower than adding one.
        usleep(10)
        if number == 2_000 { isDone.signal() }
      }
    }
    isDone.wait()
    #expect(mostWaiting.withLock { $0 } <= 65)
  }

  /// A holder that comes before the last nap of the one before must not begin a second chain.
  @Test func thereIsOneChainOfNaps() {
    var chain = SessionBrake.Chain()
    var begins: [Bool] = []
    var goesOn: [Bool] = []
    begins.append(chain.addHolder())
    begins.append(chain.addHolder())
    chain.removeHolder()
    goesOn.append(chain.goesOn())
    chain.removeHolder()
    begins.append(chain.addHolder())
    goesOn.append(chain.goesOn())
    chain.removeHolder()
    goesOn.append(chain.goesOn())
    begins.append(chain.addHolder())
    #expect(begins == [true, false, false, true])
    #expect(goesOn == [true, true, false])
  }

  /// If this fails, Foundation has changed, and a flood of bytes delays cancellations.
  @Test func aSessionHasATransferQueue() {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    #expect(session.transferQueue?.label == "MultiHandle.isolation")
  }
}
