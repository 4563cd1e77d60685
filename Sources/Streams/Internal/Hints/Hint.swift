/// An answer that only this library can give.
///
/// Some publishers and subscribers tell each other more than Combine's protocols say, to save work:
///
/// | hint | says | saves |
/// |---|---|---|
/// | `Subscriber._requestsLast` | it does nothing after its last request, when it gets its subscription | a source emits from the frame that attaches the chain, where the optimiser sees all of it |
/// | `Subscriber._beginRun()`, `_endRun()` | a thread is about to deliver several values in a row | the guard of a sink is entered once a run, not once a value |
/// | `Subscriber._depth` | the number of merged streams that its stream is nested in | stack: deep nesting goes through ``Trampoline`` |
/// | `Publisher._singleValue` | the one value that it delivers on request | `flatMap` and `merge` deliver it without a subscription |
///
/// A hint changes how fast something is delivered, never what: ``Subscriber`` and ``Publisher`` have
/// defaults that hint at nothing, and every type is correct with them. Hints are requirements of
/// public protocols, because a source knows its subscriber by these protocols alone. They return a
/// `_Hint` so that a type outside the library can't answer them by accident: it can't make one.
@frozen
public struct _Hint<Answer> {
  @usableFromInline
  let answer: Answer

  @inlinable
  init(_ answer: Answer) { self.answer = answer }
}

extension _Hint<Bool> {
  @inlinable
  static var yes: _Hint { _Hint(true) }

  @inlinable
  static var no: _Hint { _Hint(false) }
}
