/// A call of a session's handler or delegate.
///
/// It runs on the thread that moves time, which may have the main queue. A real session would make
/// it on a queue of its own. So this tells the two apart.
package struct SessionCallback: Sendable {
  /// The call that's running here; `nil` if there's none.
  @TaskLocal package static var current: SessionCallback?

  /// The number of the request; `nil` if it was refused before it got one.
  package let request: Int?
}
