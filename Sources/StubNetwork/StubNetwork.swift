import Foundation
import Streams
import Timeline
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A network of scripted responses under the real `URLSession`, in virtual time.
///
/// ```swift
/// let clock = VirtualTimeScheduler()
/// let network = StubNetwork(clock: clock)
/// network.stub(
///   .get, "https://example.com/user",
///   responses: .json(#"{"name": "Ada"}"#, after: .milliseconds(120)))
///
/// let token = network.makeSession()
///   .dataTaskPublisher(for: URL(string: "https://example.com/user")!)
///   .sink(receiveCompletion: { print(clock.now, $0) }, receiveValue: { print($0.data.count) })
/// clock.run()
/// // Prints "15"
/// // Prints "120ms finished"
/// try network.verify()
/// ```
///
/// Nothing reaches a real network, and nothing waits for the wall clock. A run is the same every
/// time, even on a busy machine.
///
/// ## Order
///
/// Requests are numbered from 1 in the order in which their tasks are resumed. The network delivers
/// one thing at a time: a response, a chunk of a body, an end. Everything that follows from it
/// happens before the clock moves on, whichever call moves it. Callbacks run on the thread that
/// moves the clock; callbacks of one instant run in the order of their tasks.
///
/// ## Limits
///
/// - Make sessions with ``makeSession(configuration:delegate:waitsForConnectivity:)``.
///   `URLSession.shared` uses the real network.
/// - Redirects and authentication challenges other than `Bearer`, which a session passes on, are
///   refused: the request fails, and ``problems`` says why. On Linux, a protocol under a session
///   can't report a redirect, and can't change the task's `currentRequest`, which names the final
///   URL after a real redirect.
/// - Data tasks work, and so do the async `data(for:)` and `data(from:)`, if other code moves the
///   clock while they wait.
/// - Upload tasks work if they are made with `uploadTask(with:from:)` or
///   `uploadTask(with:fromFile:)`, with or without a completion handler. The body is in `httpBody`
///   for patterns and services. The async `upload` functions and streamed uploads are refused.
///   A delegate is told how much of a body was sent, with or without an upload task; see
///   ``StubResponse/afterUpload(in:over:)``. A task's own counters and its `progress` stay at zero.
/// - Download tasks work if they are made with `downloadTask(with:)` or
///   `downloadTask(with:completionHandler:)`. The file is removed when the handler or the
///   delegate's method returns, so move it to keep it. The async `download` functions and downloads
///   from resume data are refused.
/// - Web sockets are refused.
/// - An upload, a download or a web socket that's refused fails at once, without a move of the
///   clock, and is one of the ``problems``. An upload or a download fails with
///   `URLError.resourceUnavailable`, which has the reason as its description; a web socket fails
///   with `URLError.networkConnectionLost`. After 1,000 of them, further ones hear nothing, so that
///   a loop that tries again without an end stops.
/// - Compressed bodies, a `Content-Length` that isn't the body's, and a `GET` with a body are
///   refused too. Such a request fails when the clock runs: a `GET` with a body with
///   `URLError.dataLengthExceedsMaximum`, the others with `URLError.resourceUnavailable`.
/// - A stub doesn't see the headers that describe the connection and the program: `Host`,
///   `Content-Length`, `Accept: */*`, `Accept-Encoding`, `Accept-Language` and `User-Agent`.
/// - On Linux, `URLSession` ignores the disposition that a delegate returns for a response. To stop
///   the body, cancel the task.
/// - The network waits for work on your own queues if you register them with
///   ``fence(_:)-(DispatchQueue)``. It can't wait for a `Task` or for a timer on the wall clock.
///
/// ## Cookies
///
/// A session keeps the cookies of its responses and sends them, as a real session on Linux does: by
/// host, whatever their path, `Secure` and `Max-Age`. They're in the storage of its configuration.
/// Sessions with `URLSessionConfiguration.default` share a storage that belongs to the network,
/// instead of `HTTPCookieStorage.shared`. A request has its cookies sorted by name.
///
/// A cookie expires by the virtual clock, which starts on 1 January 2001. As in a real session on
/// Linux, an expired one is removed when a response sets cookies. Those in the storage have no
/// `expiresDate`, because the storage would compare it with the wall clock.
///
/// ## Timeouts
///
/// A request fails with `URLError.timedOut` in these cases:
///
/// - Nothing comes for the request's `timeoutInterval`. If that isn't set, the limit is the
///   `timeoutIntervalForRequest` of the session's configuration. Both are 60 seconds by default. An
///   interval of exactly 60 seconds counts as not set, because Foundation doesn't tell.
/// - It isn't complete after the configuration's `timeoutIntervalForResource`. The wait for
///   connectivity counts. The default of exactly seven days counts as no limit, so that a request
///   that waits for connectivity doesn't keep the clock running for a week.
///
/// Time in which the task is suspended doesn't count. Source of the rules: the documentation of
/// these properties and of `URLSessionTask.suspend()`.
///
/// A real session on Linux differs. It ignores a timeout that was passed to `URLRequest`'s
/// initializer, ignores `timeoutIntervalForResource`, and drops fractions of a second.
///
/// ## Connectivity
///
/// A session can wait for connectivity, as one with `waitsForConnectivity` does on Apple's systems.
/// Foundation on Linux marks that property as unavailable, and lacks the delegate's
/// `urlSession(_:taskIsWaitingForConnectivity:)`, so the stub models it: see ``isConnected``. An
/// observer learns of waiting requests through ``onEvent(_:)``.
///
/// You can use several networks at the same time, each from one thread at a time.
public final class StubNetwork: Sendable {
  /// The clock that responses are scheduled on.
  public let clock: VirtualTimeScheduler

  let driver: NetworkDriver
  private let onFailure: @Sendable (String) -> Void
  private let attachment: any Cancellable & Sendable

  /// Makes a network without stubs.
  ///
  /// - Parameters:
  ///   - clock: The clock to schedule responses on.
  ///   - onFailure: Called with one line for a mistake that can't wait for ``verify()``: a stub
  ///     whose JSON isn't JSON, a fault that can't be read, a session that's made after
  ///     ``invalidate()``, and a fenced queue that's blocked for 10 seconds of the wall clock. By
  ///     default it ends the program.
  public convenience init(
    clock: VirtualTimeScheduler,
    onFailure: @escaping @Sendable (String) -> Void = { fatalError($0) }
  ) {
    self.init(clock: clock, timeline: Timeline(clock: clock), watch: nil, onFailure: onFailure)
  }

  /// Makes a network.
  ///
  /// - Parameters:
  ///   - clock: The clock to schedule responses on.
  ///   - timeline: Where to record the events of requests.
  ///   - watch: Knows which code makes requests; `nil` if that isn't wanted.
  ///   - timeout: How long a fenced queue may take by the wall clock.
  ///   - onFailure: Called with one line for a mistake that can't wait.
  package init(
    clock: VirtualTimeScheduler, timeline: Timeline, watch: (any RequestWatch)?,
    timeout: DispatchTimeInterval = .seconds(10), onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.clock = clock
    self.onFailure = onFailure
    let driver = NetworkDriver(clock, timeline, watch, timeout: timeout, onFailure: onFailure)
    self.driver = driver
    attachment = clock.attach { driver.settleOnce() }
  }

  deinit { driver.invalidate() }

  // MARK: Faults

  /// Lets requests go wrong, although their stubs have responses.
  ///
  /// ```swift
  /// network.inject("request 1 is refused")
  /// network.inject("from request 2 on, each request gets a 401")
  /// network.inject("request 1 times out, and then request 3 meets a captive portal")
  /// ```
  ///
  /// Requests are numbered from 1 in the order in which they're made. A request that has several
  /// faults gets the last one. ``NetworkFault/Kind`` lists what can go wrong, and the description
  /// of a fault is its text here.
  ///
  /// Call this before the requests. From then on, a stub's last response serves all further
  /// requests, stubs may be left over, and a request that no stub matches can't reach its server,
  /// because a fault can lead to other requests. A fault that changes no response counts as one of
  /// the ``problems``.
  ///
  /// - Parameters:
  ///   - faults: What goes wrong. If it can't be read, that's a mistake, and nothing goes wrong.
  ///   - fileID: The file to name in messages.
  ///   - line: The line to name in messages.
  public func inject(_ faults: String, fileID: String = #fileID, line: Int = #line) {
    do throws(NetworkFault.ParsingError) {
      let faults = try NetworkFault.list(parsing: faults)
      driver.script.withLock { $0.inject(faults, isExpected: true) }
    } catch {
      onFailure("\(error) (\(fileID):\(line))")
    }
  }

  /// Lets a request go wrong, although its stub has a response. The function that takes a text
  /// explains the rules.
  ///
  /// - Parameter fault: What goes wrong.
  public func inject(_ fault: NetworkFault) {
    driver.script.withLock { $0.inject([fault], isExpected: true) }
  }

  /// Lets requests go wrong in a run of many, in which the requests may be others.
  package func inject(_ faults: [NetworkFault]) {
    driver.script.withLock { $0.inject(faults, isExpected: false) }
  }

  /// Lets a run have more or fewer requests to its stubs than usual. A stub's last response serves
  /// all further ones.
  package func allowOtherRequests() { driver.script.withLock { $0.allowOtherRequests() } }

  /// Lets stubs be left over and faults not happen, because another order may not need them.
  package func allowUnusedStubs() {
    driver.script.withLock { ($0.allowsUnused, $0.allowsMissedFaults) = (true, true) }
  }

  /// All faults that the requests of this run can have.
  package var possibleFaults: [NetworkFault] { driver.script.withLock { $0.possibleFaults } }

  // MARK: Stubbing responses

  /// Responds to requests with a method and a URL, given as a string.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL.
  ///   - headers: Header fields that the request must have. It may have more.
  ///   - body: The condition on the request's body.
  ///   - responses: The response to the first such request, to the second, and so on. If more
  ///     requests come, they fail and count as ``problems``, unless the last response is
  ///     ``StubResponse/repeating``.
  ///   - fileID: The file to name in messages.
  ///   - line: The line to name in messages.
  public func stub(
    _ method: HTTPMethod, _ url: String, headers: [String: String] = [:],
    body: RequestPattern.Body = .any, responses: StubResponse..., fileID: String = #fileID,
    line: Int = #line
  ) {
    let url = Self.absolute(url, example: "https://example.com/users", "\(fileID):\(line)")
    stub(
      RequestPattern(method, url, headers: headers, body: body), responses: responses,
      fileID: fileID, line: line)
  }

  /// Responds to requests with a method and a URL.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL.
  ///   - headers: Header fields that the request must have. It may have more.
  ///   - body: The condition on the request's body.
  ///   - responses: The response to the first such request, to the second, and so on. If more
  ///     requests come, they fail and count as ``problems``, unless the last response is
  ///     ``StubResponse/repeating``.
  ///   - fileID: The file to name in messages.
  ///   - line: The line to name in messages.
  public func stub(
    _ method: HTTPMethod, _ url: URL, headers: [String: String] = [:],
    body: RequestPattern.Body = .any, responses: StubResponse..., fileID: String = #fileID,
    line: Int = #line
  ) {
    stub(
      RequestPattern(method, url, headers: headers, body: body), responses: responses,
      fileID: fileID, line: line)
  }

  /// Responds to requests that match a pattern.
  ///
  /// The first matching stub responds. If a second stub matches too, that counts as a problem.
  ///
  /// - Parameters:
  ///   - pattern: The requests to respond to.
  ///   - responses: The response to the first such request, to the second, and so on. At least one.
  ///   - fileID: The file to name in messages.
  ///   - line: The line to name in messages.
  public func stub(
    _ pattern: RequestPattern, responses: [StubResponse], fileID: String = #fileID,
    line: Int = #line
  ) {
    precondition(
      !responses.isEmpty, "a stub needs at least one response (\(fileID):\(line))")
    precondition(
      !responses.dropLast().contains(where: \.isRepeating),
      "a repeating response must be the last one of its stub (\(fileID):\(line))")
    if let mistake = pattern.body.mistake {
      onFailure("no request can match the stub of \(pattern) (\(fileID):\(line)): \(mistake)")
    }
    driver.script.withLock {
      $0.add(pattern, responses: responses, source: "\(fileID):\(line)")
    }
  }

  /// Responds to all requests below a URL that no stub matches, with the result of a closure.
  ///
  /// ```swift
  /// network.serve("https://example.com") { request in
  ///   request.url?.path == "/users" ? .json("[]", after: .milliseconds(40)) : .status(404)
  /// }
  /// ```
  ///
  /// Stubs go first, so you can put a single failure in front of a service. A service that never
  /// gets a request counts as a problem, and so does a request that two services match.
  ///
  /// - Parameters:
  ///   - base: The absolute URL. A request is below it if scheme, host and port are the same and
  ///     its path begins with this one's.
  ///   - fileID: The file to name in messages.
  ///   - line: The line to name in messages.
  ///   - respond: Called once for each request, at the moment it is sent, on the thread that runs
  ///     or settles the network. Requests of one instant come in the order of their numbers. It
  ///     must not call the network. The request's body is in `httpBody`.
  public func serve(
    _ base: String, fileID: String = #fileID, line: Int = #line,
    respond: @escaping @Sendable (URLRequest) -> StubResponse
  ) {
    let url = Self.absolute(base, example: "https://example.com", "\(fileID):\(line)")
    let service = StubScript.Service(base: url, source: "\(fileID):\(line)", respond: respond)
    driver.script.withLock { $0.add(service) }
  }

  private static func absolute(_ string: String, example: String, _ source: String) -> URL {
    guard let url = URL(string: string), url.scheme != nil, url.host != nil else {
      preconditionFailure(
        "\"\(string)\" isn't an absolute URL. Write one, such as \(example) (\(source))")
    }
    return url
  }

  // MARK: Making sessions

  /// Makes a session whose requests go to this network.
  ///
  /// The network doesn't keep the session. As on a real network, a session that you release
  /// finishes its tasks first, and then gives its two open files back.
  ///
  /// - Parameters:
  ///   - configuration: The session's configuration. The network works on a copy and replaces its
  ///     cache, its protocols, and `HTTPCookieStorage.shared`.
  ///   - delegate: The session's delegate. The session keeps it until you invalidate or release the
  ///     session. A data delegate receives the chunks of bodies one by one.
  ///   - waitsForConnectivity: Whether requests wait while ``isConnected`` is `false`. If not, they
  ///     fail.
  /// - Returns: The session.
  public func makeSession(
    configuration: URLSessionConfiguration = .ephemeral,
    delegate: (any URLSessionDelegate)? = nil, waitsForConnectivity: Bool = false
  ) -> URLSession {
    if driver.settler.isInvalidated {
      onFailure("makeSession() was called after invalidate(): make a new StubNetwork instead")
    }
    return addSession(
      configuration: configuration, delegate: delegate, waitsForConnectivity: waitsForConnectivity)
  }

  /// Makes a session, also after the network was invalidated, which the caller reports. The tasks
  /// of such a session end with `URLError.cancelled`, as those of the network's other sessions do.
  package func addSession(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    waitsForConnectivity: Bool
  ) -> URLSession {
    let copy = configuration.copy() as? URLSessionConfiguration
    return driver.makeSession(
      configuration: copy ?? .ephemeral, delegate: delegate,
      waitsForConnectivity: waitsForConnectivity)
  }

  // MARK: Connectivity

  /// Whether the device is connected. It is at first.
  ///
  /// While it isn't, a new request fails at once with `URLError.notConnectedToInternet` and reaches
  /// no stub. Requests of a session that waits for connectivity wait instead. When you set this to
  /// `true`, they are sent in the order they were made, and the times of their responses count from
  /// then. You can cancel and suspend a waiting task; a suspended one is sent when it is resumed.
  ///
  /// Waiting helps only before a connection exists. When you set this to `false`, requests that
  /// were sent fail at once with `URLError.networkConnectionLost`, even in sessions that wait; a
  /// suspended task fails when it is resumed. Source of the rules: the documentation of
  /// `URLSessionConfiguration.waitsForConnectivity`.
  ///
  /// Set it on the thread that drives the clock, at any time. A request counts as made
  /// when the network settles: at the same instant, but after the code that resumed its task.
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

  /// Makes the clock wait for the work on a queue, too, before it moves on.
  ///
  /// Work may hop between such queues as many times as there are of them before it touches a
  /// session.
  ///
  /// - Parameter queue: A queue that you made. You can't pass a global queue, or the queue that
  ///   drives the clock.
  public func fence(_ queue: DispatchQueue) {
    driver.settler.fence("\"\(queue.label)\"") { queue.async(flags: .barrier, execute: $0) }
  }

  /// Makes the clock wait for the operations of a queue, too, before it moves on.
  ///
  /// - Parameter queue: A queue that you made. It must not be suspended.
  public func fence(_ queue: OperationQueue) {
    driver.settler.fence("\"\(queue.name ?? "")\"") { queue.addBarrierBlock($0) }
  }

  /// Cancels all tasks of all sessions, which end with `URLError.cancelled`. The network can't be
  /// used again.
  ///
  /// The sessions let go of their delegates. A task that starts later in one of them ends with
  /// `URLError.cancelled` too, and is one of the ``problems``. Releasing the network does the same.
  public func invalidate() { driver.invalidate() }

  // MARK: Looking at the run

  /// All events so far, in order.
  public var events: [NetworkEvent] { driver.log.events }

  /// The requests so far, in the order in which they were made, such as `GET
  /// https://example.com/user`.
  ///
  /// Their count tells a retry from a storm of them:
  ///
  /// ```swift
  /// #expect(network.requests.count == 2)
  /// ```
  public var requests: [String] {
    events.compactMap { if case .started = $0.kind { "\($0.kind)" } else { nil } }
  }

  /// Calls an observer with each further event, on the thread that drives the clock.
  ///
  /// The observer learns of responses before the session does. It learns of starts and
  /// cancellations when the network settles: at the same instant, but after the code that caused
  /// them. It must not change ``isConnected``.
  public func onEvent(_ observer: @escaping @Sendable (NetworkEvent) -> Void) {
    driver.log.observe(observer)
  }

  /// The problems so far, one sentence each.
  ///
  /// A problem is a request without a response, a request that two stubs or two services match, an
  /// unused stub, response or service, a request that still waits for connectivity, a call that a
  /// stub can't respond to, or a request that was made after ``invalidate()``. Requests that fail
  /// for the same reason are one problem, with their number.
  ///
  /// For a request that no stub matches, the sentence names the nearest stub and all differences.
  /// That's the stub whose URL differs from the request's in the shortest part. Of the stubs of one
  /// URL, it's one with the same method, then the one with the fewest other differences.
  public var problems: [String] { waits + mistakes + unused }

  private var unused: [String] { driver.script.withLock { $0.unused } }

  /// The ``problems`` that are mistakes, however the run goes on: requests without a response,
  /// those that two stubs or two services match, and those that were made too late.
  package var mistakes: [String] {
    driver.settler.problems + driver.script.withLock { $0.mistakes }
  }

  /// The other ``problems``, which a run that stops early has too: requests that wait for
  /// connectivity, and unused stubs, responses and services.
  package var leftovers: [String] { waits + unused }

  /// The requests that were sent and haven't ended, in the order they were made, such as
  /// `request 1` and `GET https://example.com/`. The name is also the label of their work.
  package var openRequests: [(name: String, summary: String)] { driver.sentRequests }

  /// Whether no request, cancellation or callback waits until the clock settles.
  package var isQuiet: Bool { driver.settler.isQuiet }

  /// The problems that are about requests waiting for connectivity.
  package var waits: [String] { driver.waits }

  /// Checks that each request had its stub and each stub its requests.
  ///
  /// - Throws: ``StubNetworkFailure`` if there are ``problems``.
  public func verify() throws(StubNetworkFailure) {
    let problems = problems
    if !problems.isEmpty { throw StubNetworkFailure(problems: problems) }
  }
}

/// The problems of a stub network: its requests and stubs didn't match.
public struct StubNetworkFailure: Error, Hashable, CustomStringConvertible {
  /// The problems, one sentence each.
  public let problems: [String]

  /// The problems, one per line.
  public var description: String { problems.joined(separator: "\n") }
}
