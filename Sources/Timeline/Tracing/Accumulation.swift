/// A result of `scan` or `reduce`, and what it's made of.
///
/// Only the closure knows what it does with its values. But what it has copied can be seen: a part
/// of a result that equals a part of the newest value, or of the result before, is made of that. So
/// a pair of neighbours is made of two values. Every other part is a total, which is made of all
/// values so far, and so is a result without parts, such as a sum.
///
/// A flag that isn't a copy counts as made of nothing, because a total can't be seen in it.
struct Accumulation<Value> {
  /// The result. It's made of the newest value in any case, because that led to it.
  let traced: Traced<Value>

  /// All values so far.
  private let everything: Origins

  /// The parts of the result; `nil` if it has none.
  private let parts: ValuePart?

  var value: Value { traced.value }

  /// What it begins with.
  init(_ initial: Value) {
    self.init(initial, newest: Origins(), everything: Origins()) { ValuePart.Sources() }
  }

  private init(
    _ value: Value, newest: Origins, everything: Origins, from sources: () -> ValuePart.Sources
  ) {
    self.everything = everything
    var parts = ValuePart(structure: value)
    if let structure = parts {
      var sources = sources()
      parts = structure.traced(to: &sources, orElse: everything)
    }
    self.parts = parts
    traced = Traced(value, (newest + (parts?.origins ?? everything)).latest)
  }

  /// The next result, which the closure has made of this one and a new value.
  func next<Input>(_ result: Value, _ input: Traced<Input>) -> Accumulation {
    let newest = input.origins.latest
    return Accumulation(result, newest: newest, everything: (everything + newest).latest) {
      ValuePart.Sources(ValuePart(input.value, madeOf: newest), parts)
    }
  }
}
