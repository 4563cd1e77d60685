import Foundation
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A network of scripted answers under real URLSessions, in virtual time.
///
/// ```swift
/// let clock = VirtualTimeScheduler()
/// let network = StubNetwork(clock: clock)
/// network.stub(
///   .get, "https://example.com/user",
///   answers: .json(#"{"name": "Ada"}"#, after: .milliseconds(120)))
///
/// let token = network.makeSession()
///   .dataTaskPublisher(for: URL(string: "https://example.com/user")!)
///   .sink(receiveCompletion: { print(clock.now, $0) }, receiveValue: { print($0.data.count) })
/// network.run()
/// // Prints "15"
/// // Prints "120ms finished"
/// try network.verify()
/// ```
///
/// Nothing reaches a real network, and nothing waits for the wall clock: a run is the same every
/// time, whatever else the machine does.
///
/// ## Order
///
/// Requests are numbered from 1 in the order in which their tasks are resumed. One thing comes from
/// the network at a time: a response, a part of a body, an end. All that follows from it has
/// happened before the clock goes on. Callbacks run on the thread that runs or settles the network,
/// at one instant in the order of their tasks.
///
/// ## Limits
///
/// - Sessions have to come from ``makeSession(configuration:delegate:)``; `URLSession.shared` is a
///   real one.
/// - Download and upload tasks, redirects and authentication challenges are refused: the request
///   fails, and ``problems`` says why.
/// - A stub sees what is in the request. Additional headers and timeouts of a session's
///   configuration do not reach it; to time out, answer with `.failure(.timedOut, after: …)`.
/// - URLSession on Linux ignores what a delegate answers to a response: to stop the body, cancel
///   the task.
/// - Work on queues of your own is waited for if they are registered with ``fence(_:)``; work that
///   a `Task` or a timer of the wall clock holds is not.
///
/// ## Connectivity
///
/// A session can be made that waits for a network, as one with `waitsForConnectivity` does on
/// Apple's systems. Foundation on Linux can only read that property, and does not have the
/// delegate's `urlSession(_:taskIsWaitingForConnectivity:)`, so it is modelled here: see
/// ``isConnected``. That a request waits is told by ``onEvent(_:)``.
///
/// Several networks can be used at the same time; each is driven by one thread at a time.
public final class StubNetwork: Sendable {
  /// The clock that says when answers come.
  public let clock: VirtualTimeScheduler

  private let driver: NetworkDriver

  /// Makes a network without stubs.
  ///
  /// - Parameters:
  ///   - clock: Says when answers come.
  ///   - onFailure: Is told when settling does not come to an end within 10 seconds of the wall
  ///     clock, or is asked for from inside a callback; ends the program if nothing else is said.
  public convenience init(
    clock: VirtualTimeScheduler,
    onFailure: @escaping @Sendable (String) -> Void = { fatalError($0) }
  ) {
    self.init(clock: clock, settler: Settler(), onFailure: onFailure)
  }

  init(
    clock: VirtualTimeScheduler, settler: Settler, onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.clock = clock
    driver = NetworkDriver(clock: clock, settler: settler, onFailure: onFailure)
  }

  deinit { driver.invalidate() }

  // MARK: Saying what is answered

  /// Answers requests of a method and URL.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL.
  ///   - headers: Header fields that a request must have among others.
  ///   - body: What a request's body must be.
  ///   - answers: The answer to the first such request, to the second, and so on. A request more
  ///     than there are answers fails, and is a problem, unless the last is ``Answer/repeating``.
  ///   - fileID: The file to name in messages.
  ///   - line: The line to name in messages.
  public func stub(
    _ method: HTTPMethod, _ url: String, headers: [String: String] = [:],
    body: RequestPattern.Body = .any, answers: Answer..., fileID: String = #fileID,
    line: Int = #line
  ) {
    guard let url = URL(string: url), url.scheme != nil else {
      preconditionFailure("\"\(url)\" is no absolute URL: a stub needs one (\(fileID):\(line))")
    }
    stub(
      RequestPattern(method, url, headers: headers, body: body), answers: answers, fileID: fileID,
      line: line)
  }

  /// Answers requests of a pattern.
  ///
  /// The first stub that matches answers a request; that another matches too is a problem.
  ///
  /// - Parameters:
  ///   - pattern: Which requests.
  ///   - answers: The answer to the first such request, to the second, and so on; at least one.
  ///   - fileID: The file to name in messages.
  ///   - line: The line to name in messages.
  public func stub(
    _ pattern: RequestPattern, answers: [Answer], fileID: String = #fileID, line: Int = #line
  ) {
    precondition(!answers.isEmpty, "a stub needs an answer (\(fileID):\(line))")
    precondition(
      !answers.dropLast().contains(where: \.isRepeating),
      "what follows a repeating answer is never given (\(fileID):\(line))")
    driver.add(pattern, answers: answers, source: "\(fileID):\(line)")
  }

  /// Answers all requests below a URL that no stub matches, with whatever a closure makes of them.
  ///
  /// ```swift
  /// network.serve("https://example.com") { request in
  ///   request.url?.path == "/users" ? .json("[]", after: .milliseconds(40)) : .status(404)
  /// }
  /// ```
  ///
  /// A stub goes first, so that a single failure can be put in front of a service. That no request
  /// came is a problem, and so is one that two services match.
  ///
  /// - Parameters:
  ///   - base: The absolute URL. Scheme, host and port have to be the same, and the path has to begin
  ///     with this one's.
  ///   - fileID: The file to name in messages.
  ///   - line: The line to name in messages.
  ///   - answer: Called once for each request, at the moment it is sent, on the thread that runs or
  ///     settles the network; requests that are sent at one instant come in the order of their
  ///     numbers. It must not act on the network. The request's body is in `httpBody`.
  public func serve(
    _ base: String, fileID: String = #fileID, line: Int = #line,
    answer: @escaping @Sendable (URLRequest) -> Answer
  ) {
    guard let url = URL(string: base), url.scheme != nil, url.host != nil else {
      preconditionFailure(
        "\"\(base)\" is no absolute URL: a service needs one (\(fileID):\(line))")
    }
    driver.add(StubScript.Service(base: url, source: "\(fileID):\(line)", answer: answer))
  }

  // MARK: Making sessions

  /// Makes a session whose requests are answered by this network.
  ///
  /// - Parameters:
  ///   - configuration: What to configure the session with; its cache and its protocols are
  ///     replaced. The object itself stays as it is.
  ///   - delegate: The session's delegate, which the session keeps until it is invalidated. A data
  ///     delegate sees the parts of bodies as they come.
  ///   - waitsForConnectivity: Whether requests wait while ``isConnected`` is `false`; otherwise
  ///     they fail.
  /// - Returns: The session.
  public func makeSession(
    configuration: URLSessionConfiguration = .ephemeral,
    delegate: (any URLSessionDelegate)? = nil, waitsForConnectivity: Bool = false
  ) -> URLSession {
    let copy = configuration.copy() as? URLSessionConfiguration
    return driver.makeSession(
      configuration: copy ?? .ephemeral, delegate: delegate,
      waitsForConnectivity: waitsForConnectivity)
  }

  // MARK: Coming and going

  /// Whether there is a network to send requests on. There is at first.
  ///
  /// While there is none, a request fails at once with `URLError.notConnectedToInternet`, and no
  /// stub is asked; that of a session that waits for connectivity waits. As soon as there is one,
  /// the requests that wait are sent, in the order they were made; the times of their answers count
  /// from then. A task can be cancelled and suspended meanwhile, and one that is suspended is sent
  /// when it is resumed.
  ///
  /// Waiting is for a connection that does not exist yet. One that goes is lost: what was sent
  /// fails at once with `URLError.networkConnectionLost`, whatever its session does; a task that is
  /// suspended fails when it is resumed. Source of the rules: the documentation of
  /// `URLSessionConfiguration.waitsForConnectivity`.
  ///
  /// To be set on the thread that runs or settles the network, at any time. A request is made when
  /// the network settles: at the same instant, but after the code that resumed its task.
  ///
  /// ```swift
  /// network.isConnected = false
  /// clock.schedule(after: .seconds(3)) { network.isConnected = true }
  /// ```
  public var isConnected: Bool {
    get { driver.isConnected }
    set { driver.setConnected(newValue) }
  }

  // MARK: Running

  /// Runs the clock until no foreground work is left on it, settling before each action and at the
  /// end.
  ///
  /// The clock's guards hold as in a run of its own. To go step by step, call ``settle()`` and the
  /// clock's `step()` in turn.
  public func run() { driver.run { _ in } }

  /// Does the same at another pace.
  ///
  /// - Parameter pace: Called before the clock goes on, with the time it goes to; it may take its
  ///   time, but not act on the network.
  package func run(pace: (VirtualTime) -> Void) { driver.run(pace: pace) }

  /// Lets everything happen that follows from what was done so far, without moving the clock:
  /// sessions start and cancel their tasks, delegates and completion handlers are called.
  public func settle() { driver.settle() }

  /// Adds work of the caller's to what settling waits for.
  ///
  /// - Parameter fence: Is called while settling, perhaps often: runs what is pending and returns
  ///   whether there was anything. Settling ends when all fences return `false`.
  public func addFence(_ fence: @escaping @Sendable () -> Bool) {
    driver.settler.add(.body(fence))
  }

  /// Adds what is on a queue to what settling waits for.
  ///
  /// Work may hop between registered queues, as many times as there are fences, before it has to
  /// touch a session.
  ///
  /// - Parameter queue: A queue that was made by the caller; a global one cannot be fenced. Not the
  ///   queue that settles.
  public func fence(_ queue: DispatchQueue) { driver.settler.add(.queue(queue)) }

  /// Cancels all tasks of all sessions, which end with `URLError.cancelled`, and makes no more.
  ///
  /// Happens by itself when the network is released.
  public func invalidate() { driver.invalidate() }

  // MARK: Looking

  /// All that happened so far, in order.
  public var events: [NetworkEvent] { driver.events }

  /// Calls an observer with each further event, on the thread that runs or settles the network.
  ///
  /// What comes from the network is told before the session hears of it. Starts and cancellations
  /// are told when the network settles: at the same instant, but after the code that caused them.
  public func onEvent(_ observer: @escaping @Sendable (NetworkEvent) -> Void) {
    driver.observe(observer)
  }

  /// What was wrong so far, as sentences: requests without an answer, requests that two stubs or
  /// two services match, and stubs, answers and services that no request asked for; also requests
  /// that wait for a network now.
  public var problems: [String] { driver.problems }

  /// Of the problems, the requests that wait for a network now.
  package var waits: [String] { driver.waits }

  /// Checks that requests and stubs fit.
  ///
  /// - Throws: ``StubNetworkFailure`` if there are ``problems``.
  public func verify() throws(StubNetworkFailure) {
    let problems = problems
    if !problems.isEmpty { throw StubNetworkFailure(problems: problems) }
  }
}

/// That requests and stubs did not fit.
public struct StubNetworkFailure: Error, Hashable, CustomStringConvertible {
  /// What was wrong, as sentences.
  public let problems: [String]

  /// The problems, one a line.
  public var description: String { problems.joined(separator: "\n") }
}
