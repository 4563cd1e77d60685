// Simpler cases, and the case as a test to paste.

extension SharedCase {
  var simplerCases: [SharedCase] {
    var cases: [SharedCase] = []
    func add(_ change: (inout SharedCase) -> Void) {
      var simpler = self
      change(&simpler)
      cases.append(simpler)
    }
    for index in subscribers.indices.reversed() where subscribers.count > 1 {
      cases.append(without(index))
    }
    for deeds in shorter(deeds) { add { $0.deeds = deeds } }
    for head in head.simpler { add { $0.head = head } }
    for index in scripts.indices {
      for script in scripts[index].simpler { add { $0.scripts[index] = script } }
    }
    for index in subscribers.indices {
      for operators in Pipeline(source: .fail, operators: subscribers[index].operators).simpler {
        if operators.source == .fail {
          add { $0.subscribers[index].operators = operators.operators }
        }
      }
      if subscribers[index].initial != nil {
        add { $0.subscribers[index].initial = nil }
        for count in smaller(subscribers[index].initial ?? 0) {
          add { $0.subscribers[index].initial = count }
        }
      }
      if subscribers[index].perValue > 0 { add { $0.subscribers[index].perValue = 0 } }
    }
    for index in deeds.indices {
      switch deeds[index].occasion {
      case .at(let time):
        for time in smaller(time, by: 5) { add { $0.deeds[index].occasion = .at(time) } }
      case .inValue(let count, let subscriber):
        for count in smaller(count, from: 1) {
          add { $0.deeds[index].occasion = .inValue(count, of: subscriber) }
        }
      }
      switch deeds[index].action {
      case .send(.value(let value), let script):
        for value in smaller(value) {
          add { $0.deeds[index].action = .send(.value(value), script: script) }
        }
      case .request(let subscriber, let count):
        for count in smaller(count, from: 1) {
          add { $0.deeds[index].action = .request(subscriber, count: count) }
        }
      default: break
      }
    }
    return cases
  }

  /// The case without a subscriber.
  private func without(_ index: Int) -> SharedCase {
    var result = self
    result.subscribers.remove(at: index)
    func moved(_ other: Int) -> Int? {
      other == index ? nil : other > index ? other - 1 : other
    }
    result.deeds = deeds.compactMap { deed in
      var deed = deed
      if case .inValue(let count, let subscriber) = deed.occasion {
        guard let subscriber = moved(subscriber) else { return nil }
        deed.occasion = .inValue(count, of: subscriber)
      }
      switch deed.action {
      case .subscribe(let subscriber):
        guard let subscriber = moved(subscriber) else { return nil }
        deed.action = .subscribe(subscriber)
      case .cancel(let subscriber):
        guard let subscriber = moved(subscriber) else { return nil }
        deed.action = .cancel(subscriber)
      case .request(let subscriber, let count):
        guard let subscriber = moved(subscriber) else { return nil }
        deed.action = .request(subscriber, count: count)
      case .connect, .disconnect, .send: break
      }
      return deed
    }
    return result
  }

  func code(_ problem: Problem) -> String {
    var lines = ["let clock = VirtualTimeScheduler()"]
    for (index, script) in scripts.enumerated() { lines += script.code(index: index) }
    lines += ["let scene = SharedScene(on: clock)", "let shared = \(head.code())\(hubCode)"]
    if hub == .connectable { lines += ["scene.onConnect { shared.connect() }"] }
    for subscriber in subscribers {
      let code = subscriber.operators.reduce("scene.add(\n    shared") {
        $0 + "\n      " + $1.kind.code($1, 3)
      }
      var arguments = ""
      if let initial = subscriber.initial { arguments += ", demand: .max(\(initial))" }
      if subscriber.perValue > 0 { arguments += ", perValue: .max(\(subscriber.perValue))" }
      lines += ["\(code)\(arguments))"]
    }
    for deed in deeds { lines += ["scene.on(\(deed.occasionCode)) { \(deed.actionCode) }"] }
    lines += [
      "clock.advance(to: .milliseconds(\(PipelineCase.horizon)))",
      "#expect(scene.brokenRules == [])",
    ]
    for broken in problem.actual.brokenRules { lines += ["// Broken: \(broken)"] }
    lines += ["#expect(scene.lines == \(problem.expected ?? []))"]
    if problem.actual.lines != problem.expected { lines += ["// Actual: \(problem.actual.lines)"] }
    return (["@Test func randomSharing() {"] + lines.map { "  " + $0 } + ["}"])
      .joined(separator: "\n") + "\n"
  }

  private var hubCode: String {
    switch hub {
    case .subject: ""
    case .share: "\n    .share()"
    case .currentValue(let value):
      "\n    .multicast(subject: CurrentValueSubject(\(value))).autoconnect()"
    case .connectable: "\n    .multicast { PassthroughSubject() }"
    }
  }
}

extension Deed {
  fileprivate var occasionCode: String {
    switch occasion {
    case .at(let time): ".at(\(time))"
    case .inValue(let count, let subscriber): ".inValue(\(count), of: \(subscriber))"
    }
  }

  fileprivate var actionCode: String {
    switch action {
    case .subscribe(let index): "scene.subscribe(\(index))"
    case .cancel(let index): "scene.cancel(\(index))"
    case .request(let index, let count): "scene.request(\(index), .max(\(count)))"
    case .connect: "scene.connect()"
    case .disconnect: "scene.disconnect()"
    case .send(.value(let value), let script): "subject\(script).send(\(value))"
    case .send(.finished, let script): "subject\(script).send(completion: .finished)"
    case .send(.failure(let error), let script):
      "subject\(script).send(completion: .failure(\"\(error)\"))"
    }
  }
}
