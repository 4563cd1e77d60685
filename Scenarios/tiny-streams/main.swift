import ScenarioKit

let scenario = Scenario(
  "tiny-streams", "Build a small stream library in five steps.",
  refusesServers: "it makes no requests")

// region: first
scenario.part("A publisher and a subscriber") { _ in
  Step1.Sequence(elements: [1, 2, 3])
    .sink { print("received", $0) }
  print("sink has returned")
}
// endregion

// region: second
scenario.part("An operator") { _ in
  let doubled = Step2.Sequence(elements: [1, 2])
    .map { number in
      print("doubles", number)
      return number * 2
    }
  doubled.sink { print("first:", $0) }
  doubled.sink { print("second:", $0) }
}
// endregion

// region: third
scenario.part("A cancellation") { _ in
  Step3.Sequence(elements: [1, 2, 3, 4])
    .map { number in
      print("passes on", number)
      return number
    }
    .receive(subscriber: FirstTwo())
}
// endregion

// region: fourth
scenario.part("A demand") { world in
  let reader = Reader()
  Step4.Sequence(elements: ["a", "b", "c", "d"])
    .receive(subscriber: reader)
  print("subscribed")
  world.at(.milliseconds(10)) { reader.read(2) }
  world.at(.milliseconds(20)) { reader.read(1) }
}
// endregion

// region: fifth
scenario.part("A subject") { _ in
  let messages = Step5.PassthroughSubject<String>()
  messages.send("a")
  let first = messages.sink { print("first:", $0) }
  messages.send("b")
  let second = messages.map { $0.uppercased() }.sink { print("second:", $0) }
  messages.send("c")
  first.cancel()
  messages.send("d")
  messages.send(completion: .finished)
  messages.send("e")
  second.cancel()
}
// endregion

scenario.run()
