import Streams
import TestSupport
import Testing
import VirtualTime

/// An operator that takes part in the tests of this folder, with the histories that it has to
/// produce.
///
/// One line in `Operation.all` lets a new operator join all of them:
///
/// ```swift
/// Operation("filter", "2 4 |", "2 x", .early) { $0.filter($1 { $0.isMultiple(of: 2) }) }
/// ```
///
/// `$1` is ``Surroundings``: around a closure, it lets the tests see when that closure is released.
struct Operation: CustomTestStringConvertible, Sendable {
  /// The publisher in front of the operator.
  typealias Upstream = AnyPublisher<Number, TestError>

  /// The name that a failed test shows.
  let label: String

  /// The history if upstream sends 1, 2, 3, 4 and 5, ten seconds apart, and finishes: the values as
  /// text, and `|`.
  let finished: String

  /// The history if upstream sends 1, 2 and 3, and fails: the values as text, and `x`.
  let failed: String

  /// What each value of the finished history is made of, and what let it out: `12<|` is made of 1
  /// and 2, and came out when upstream finished.
  let origins: String

  /// Rules of the tests that don't hold for this operator.
  let exceptions: Exceptions

  /// The values that the operator keeps once 1 and 2 have been delivered, as text.
  let keeps: String

  private let application: @Sendable (Upstream, Surroundings) -> AppliedOperation

  var testDescription: String { label }

  /// Makes an operator without closures that needs no clock.
  ///
  /// - Parameter origins: Needed only if a value isn't made of the number that it shows.
  init<P: Publisher & SendableMetatype>(
    _ label: String, _ finished: String, _ failed: String, _ exceptions: Exceptions = [],
    keeps: String = "", from origins: String? = nil, _ apply: @escaping @Sendable (Upstream) -> P
  ) {
    self.init(label, finished, failed, exceptions, keeps: keeps, from: origins) { upstream, _ in
      apply(upstream)
    }
  }

  /// Makes an operator with closures or a clock. The clock runs whenever the test has sent signals.
  init<P: Publisher & SendableMetatype>(
    _ label: String, _ finished: String, _ failed: String, _ exceptions: Exceptions = [],
    keeps: String = "", from origins: String? = nil,
    _ apply: @escaping @Sendable (Upstream, Surroundings) -> P
  ) {
    self.label = label
    self.finished = finished
    self.failed = failed
    self.exceptions = exceptions
    self.keeps = keeps
    self.origins =
      origins
      ?? finished.filter { $0.isNumber || $0 == " " }
      .split(separator: " ").joined(separator: " ")
    application = { upstream, surroundings in
      AppliedOperation(
        apply(upstream, surroundings), clock: surroundings.clock, exceptions: exceptions)
    }
  }

  /// Applies the operator once. The result can have several subscribers.
  func applied(to upstream: some Publisher<Int, TestError>) -> AppliedOperation {
    applied(to: upstream.map { Number($0) }, Surroundings())
  }

  /// Applies the operator to numbers that are watched.
  func applied(
    to upstream: some Publisher<Number, TestError>, _ surroundings: Surroundings
  ) -> AppliedOperation {
    application(upstream.eraseToAnyPublisher(), surroundings)
  }

  /// The values of the finished history, as text.
  var values: [String] { Self.values(of: finished) }

  /// The values of the failed history, as text.
  var valuesBeforeFailure: [String] { Self.values(of: failed) }

  private static func values(of history: String) -> [String] {
    history.split(separator: " ").map(String.init).filter { $0 != "|" && $0 != "x" }
  }

  /// All operators without certain exceptions.
  static func all(but exceptions: Exceptions) -> [Operation] {
    all.filter { $0.exceptions.isDisjoint(with: exceptions) }
  }

  /// All operators with an exception.
  static func all(with exceptions: Exceptions) -> [Operation] {
    all.filter { $0.exceptions.isSuperset(of: exceptions) }
  }
}

extension Operation {
  /// Rules that don't hold for an operator, because Combine's operator doesn't keep them either.
  struct Exceptions: OptionSet, Sendable {
    let rawValue: Int

    /// Passes on signals that come before the subscription.
    static let early = Exceptions(rawValue: 1)
    /// Passes on signals that come after a completion or a cancellation.
    static let late = Exceptions(rawValue: 2)
    /// Passes a second subscription on.
    static let second = Exceptions(rawValue: 4)
    /// Has no state, and passes on everything.
    static let stateless: Exceptions = [.early, .late, .second]

    /// Stops the program when upstream fails.
    static let trapsOnFailure = Exceptions(rawValue: 8)
    /// Loses values that come while there is no demand.
    static let losesWithoutDemand = Exceptions(rawValue: 16)
    /// Ends without a request, because the result needs none.
    static let endsWithoutDemand = Exceptions(rawValue: 32)
    /// Serves all subscribers from one subscription to upstream.
    static let shares = Exceptions(rawValue: 64)
    /// Sends the rest that it has collected even if there is no demand.
    static let sendsWithoutDemand = Exceptions(rawValue: 128)
    /// Delivers a completion that was scheduled before the cancellation.
    static let endsAfterCancel = Exceptions(rawValue: 256)
    /// Delivers values in another order if they arrive within a delivery or wait for a request.
    static let reorders = Exceptions(rawValue: 512)
    /// Drops values that come in quick succession.
    static let dropsBursts = Exceptions(rawValue: 1024)
    /// Requests all values, and passes them on even if there is no demand.
    static let ignoresDemand = Exceptions(rawValue: 2048)
    /// Passes on an end that comes before the subscription, but no values.
    static let earlyEnd = Exceptions(rawValue: 65536)
    /// Releases downstream at the end, even if upstream keeps its subscriber.
    static let letsGo = Exceptions(rawValue: 4096)
    /// After a failure or a cancellation, keeps its values as long as upstream keeps its
    /// subscriber.
    static let remembers = Exceptions(rawValue: 16384)
    /// Stays alive without its two ends, because a timer, a trigger or a shared connection keeps
    /// it.
    static let outlivesItsEnds = Exceptions(rawValue: 32768)

    private static let names: [(Exceptions, String)] = [
      (.early, "early"), (.late, "late"), (.second, "second"), (.trapsOnFailure, "trapsOnFailure"),
      (.losesWithoutDemand, "losesWithoutDemand"), (.endsWithoutDemand, "endsWithoutDemand"),
      (.shares, "shares"), (.sendsWithoutDemand, "sendsWithoutDemand"),
      (.endsAfterCancel, "endsAfterCancel"), (.reorders, "reorders"),
      (.dropsBursts, "dropsBursts"), (.ignoresDemand, "ignoresDemand"), (.earlyEnd, "earlyEnd"),
      (.letsGo, "letsGo"), (.remembers, "remembers"), (.outlivesItsEnds, "outlivesItsEnds"),
    ]

    /// The names as one writes them.
    var list: String {
      Self.names.filter { contains($0.0) }.map { ".\($0.1)" }.joined(separator: " or ")
    }
  }
}

extension Trait where Self == IssueHandlingTrait {
  /// Names the exceptions that excuse an operator from a test, in each failure of the test.
  static func unless(_ exceptions: Operation.Exceptions) -> Self {
    .compactMapIssues { issue in
      var issue = issue
      issue.comments.append(
        """
        If the operator has to do this, because Combine's does it too, give it the exception \
        \(exceptions.list) in Operation+All.swift.
        """)
      return issue
    }
  }
}
