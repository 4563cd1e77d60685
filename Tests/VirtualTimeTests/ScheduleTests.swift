import Testing
import VirtualTime

struct ScheduleTests {
  @Test(arguments: ["600ms:1", "600ms:0,2 1s:1", "0:1,1", ""])
  func `a schedule is read as it's written`(text: String) throws {
    #expect(try Schedule(parsing: text).description == text)
  }

  @Test func `picks of the usual order are left out`() throws {
    let schedule = try Schedule(parsing: "0:0 600ms:0,2,0 1s:0")
    #expect(schedule.description == "600ms:0,2")
    #expect(schedule.departures.map(\.choice) == [1])
    #expect(try Schedule(parsing: "5ms:0") == .usual)
  }

  @Test(arguments: [
    ("600", "600 isn't part of a schedule: write an instant and picks, such as 600ms:1"),
    ("soon:1", "soon:1 isn't part of a schedule: write an instant and picks, such as 600ms:1"),
    ("1ms:", "1ms: isn't part of a schedule: a pick is the number of a candidate, from 0"),
    ("1ms:1,,2", "1ms:1,,2 isn't part of a schedule: a pick is the number of a candidate, from 0"),
    ("1ms:-1", "1ms:-1 isn't part of a schedule: a pick is the number of a candidate, from 0"),
    ("never:1", "never:1 isn't part of a schedule: write an instant and picks, such as 600ms:1"),
    ("+5ms:1", "+5ms:1 isn't part of a schedule: write an instant and picks, such as 600ms:1"),
    ("-5ms:1", "-5ms:1 isn't part of a schedule: write an instant and picks, such as 600ms:1"),
    ("5ms:+1", "5ms:+1 isn't part of a schedule: a pick is the number of a candidate, from 0"),
    ("2s:1 1s:1", "1s:1 isn't part of a schedule: write the instants in order, each of them once"),
  ])
  func `a text that isn't a schedule is an error that says what to write`(
    text: String, message: String
  ) {
    let error = #expect(throws: Schedule.ParsingError.self) { try Schedule(parsing: text) }
    #expect(error?.description == message)
  }
}
