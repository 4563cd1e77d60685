/// A result of `scan` or `reduce`, and what it's made of.
///
/// Only the closure knows what it does with its values. But what it has copied can be seen: a part
/// of a result that equals a part of the newest value, or of the result before, is made of that. So
/// a pair of neighbours is made of two values. Every other part is a total, which is made of all
/// values so far, and so is a result without parts, such as a sum.
///
/// Next to other parts, a flag that isn't a copy counts as made of nothing, because it's seldom
/// more than a note of the closure's own. A result that has only such flags is a total.
struct Accumulation<Value> {
  let value: Value

  /// All values so far.
  private let everything: Origins

  private let newest: Origins

  /// The parts of the result; `nil` if it has none.
  private var parts: ValuePart?

  /// The result and what it's made of.
  var held: Traced<Value> { Traced(value, visible?.latest ?? everything) }

  /// The same for a result that the newest value led to.
  var heldAndNewest: Traced<Value> {
    Traced(value, visible.map { ($0 + newest).latest } ?? everything)
  }

  /// What its parts are made of; `nil` if that's nothing.
  private var visible: Origins? {
    parts.flatMap { $0.origins.events.isEmpty ? nil : $0.origins }
  }

  /// What it begins with.
  init(_ initial: Value) {
    self.init(initial, newest: Origins(), everything: Origins()) { ValuePart.Sources() }
  }

  private init(
    _ value: Value, newest: Origins, everything: Origins, from sources: () -> ValuePart.Sources
  ) {
    (self.value, self.newest, self.everything) = (value, newest, everything)
    guard let structure = ValuePart(structure: value) else { return }
    var sources = sources()
    parts = structure.traced(to: &sources, orElse: everything)
  }

  /// The next result, which the closure has made of this one and a new value.
  func next<Input>(_ result: Value, _ input: Traced<Input>) -> Accumulation {
    let newest = input.origins.latest
    return Accumulation(result, newest: newest, everything: (everything + newest).latest) {
      ValuePart.Sources(ValuePart(input.value, madeOf: newest), parts)
    }
  }
}
