import StreamsTesting
import Testing

@Test(.example) private func `A subscriber asks for two values`() throws {
  let world = try World.current

  // region: subscriber
  let letters = world.cold("-a-b-c|")
  let two = AnySubscriber<String, Never>(
    receiveSubscription: { subscription in
      subscription.store(in: &world.cancellables)
      subscription.request(.max(2))
    },
    receiveValue: { value in
      print(value)
      return .none
    }
  )
  letters
    .lane("letters")
    .subscribe(two)
  // endregion
}

@Test(.example) private func `A subject passes on what it receives`() throws {
  let world = try World.current

  // region: subject
  let messages = PassthroughSubject<String, Never>()
  messages
    .lane("messages")
    .sink { print($0) }
    .store(in: &world.cancellables)

  let chat = world.cold("-a---b--|", ["a": "Hi!", "b": "Bye!"])
  chat
    .lane("chat")
    .subscribe(messages)
    .store(in: &world.cancellables)
  world.at(.milliseconds(3)) { messages.send("You're online") }
  // endregion
}
