import StreamsTesting
import Testing

@testable import Recipes

@MainActor @Suite(.world, .drawn) struct ValidateAFormTests {
  /// Says after 100 ms whether a name is free. "ada" is taken.
  private func isFree(_ name: String) -> AnyPublisher<Bool, URLError> {
    Just(name != "ada")
      .setFailureType(to: URLError.self)
      .delay(for: .milliseconds(100), scheduler: DispatchQueue.main)
      .eraseToAnyPublisher()
  }

  // region: test
  @Test func `The button waits for all three fields`() throws {
    let world = try World.current
    let form = SignUpForm(isFree: isFree)
    let name = world.record(form.$nameState, as: "name")
    let button = world.record(form.$canSubmit, as: "button")

    form.name = "ada"
    form.password = "correct horse"
    form.repeatedPassword = "correct horse"
    world.run()
    form.name = "grace"
    world.run()
    #expect(
      name.events == [
        .subscription(at: .zero), .value(.empty, at: .zero), .value(.checking, at: .zero),
        .value(.invalid("taken"), at: .milliseconds(400)),
        .value(.checking, at: .milliseconds(400)),
        .value(.valid, at: .milliseconds(800)),
      ])
    #expect(
      button.events == [
        .subscription(at: .zero), .value(false, at: .zero), .value(true, at: .milliseconds(800)),
      ])
  }
  // endregion

  @Test func `The button isn't on while two fields change one after the other`() throws {
    let world = try World.current
    let form = SignUpForm(isFree: isFree)
    form.name = "grace"
    form.password = "1234567"
    form.repeatedPassword = "1234567"
    world.run()
    let button = world.record(form.$canSubmit)
    form.password = "12345678"
    #expect(button.values == [false])
    form.repeatedPassword = "12345678"
    #expect(button.values == [false, true])
  }

  @Test func `Only the name that stays is checked`() throws {
    let world = try World.current
    var asked: [String] = []
    let form = SignUpForm { name in
      asked.append(name)
      return self.isFree(name)
    }
    form.name = "gra"
    world.advance(by: .milliseconds(200))
    form.name = "grac"
    world.advance(by: .milliseconds(200))
    form.name = "grace"
    world.run()
    #expect(asked == ["grace"])
    #expect(form.nameState == .valid)
  }

  @Test func `Each field has its own message`() throws {
    let world = try World.current
    let form = SignUpForm { _ in Fail(error: URLError(.timedOut)).eraseToAnyPublisher() }
    form.name = "al"
    form.password = "short"
    form.repeatedPassword = "other"
    #expect(form.nameState == .invalid("at least 3 letters"))
    #expect(form.passwordState == .invalid("at least 8 characters"))
    #expect(form.repeatedState == .invalid("isn't the same"))
    form.name = "alan"
    world.run()
    #expect(form.nameState == .invalid("can't be checked now"))
    #expect(!form.canSubmit)
  }
}
