import StubNetwork
import VirtualWorld

/// The faults that a test lets happen.
///
/// ```swift
/// expectEndings(of: .everyFault) { world in … }
/// expectEndings(of: .everyFault.lasting) { world in … }
/// expectEndings(of: FaultSelection { $0.kind == .status(401) }.inPairs()) { world in … }
/// ```
public struct FaultSelection: Sendable {
  private(set) var bound: FaultBound

  /// Each request in turn is refused, times out, is lost in the middle of its body, gets a 401,
  /// 403, 404, 429, 500 or 503, a page of HTML or an empty body, meets a captive portal, and is
  /// twice and ten times as slow.
  public static let everyFault = FaultSelection { _ in true }

  /// Makes a selection of those faults.
  ///
  /// - Parameter isIncluded: Whether to let a fault happen.
  public init(where isIncluded: @escaping @Sendable (NetworkFault) -> Bool) {
    bound = FaultBound(where: isIncluded)
  }

  /// The same faults, but each lasts: from its request on, all requests have it. That's an outage,
  /// a token that was revoked, or a portal before the user logs in.
  ///
  /// A fault of one request is over when the code tries again, so a screen that gives up is only
  /// seen with faults that last.
  public var lasting: FaultSelection {
    var selection = self
    selection.bound.isLasting = true
    return selection
  }

  /// The same faults, and then each of them together with each fault of a later request in that
  /// run, which may be one that the first fault led to.
  ///
  /// - Parameter limit: The most pairs. If there are more, the test fails, or the snapshot says so.
  public func inPairs(limit: Int = 1_000) -> FaultSelection {
    precondition(limit > 0, "no pair of faults can be tried with a limit of \(limit)")
    var selection = self
    selection.bound.pairs = limit
    return selection
  }
}
