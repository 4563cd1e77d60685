import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

/// `--play` makes the terminal what it was before, however it ends.
@Suite struct TerminalScreenTests {
  private static let start = "\u{1B}[?1049h\u{1B}[?25l"
  private static let end = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  /// The end of a frame.
  private static let keys = "q leaves"

  /// Starts to play, and compares how that ends.
  private func play(
    isOwner: Bool = false, end expected: PseudoTerminal.End,
    _ act: @escaping @Sendable (PseudoTerminal, pid_t) throws -> Void
  ) async throws {
    try await onThread {
      let terminal = try PseudoTerminal()
      let before = terminal.settings
      let process = try terminal.start(
        "new-scenario", ["--play", "--part", "1"], isOwner: isOwner)
      #expect(try terminal.read(until: Self.keys).hasPrefix(Self.start))
      #expect(terminal.settings != before)
      try act(terminal, process)
      #expect(PseudoTerminal.wait(for: process) == expected)
      #expect(try terminal.readRest().hasSuffix(Self.end))
      #expect(terminal.settings == before)
    }
  }

  @Test(arguments: ["q", "\u{3}", "\u{4}"])
  func aKeyEndsTheScreen(_ key: String) async throws {
    try await play(isOwner: true, end: .exit(0)) { terminal, _ in terminal.type(key) }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func aSignalEndsTheProgramAndItsScreen(_ signal: Int32) async throws {
    try await play(end: .signal(signal)) { kill($1, signal) }
  }

  @Test func aStoppedProgramGivesTheTerminalBack() async throws {
    try await play(end: .exit(0)) { terminal, process in
      let settings = terminal.settings
      terminal.type("\u{1A}")
      #expect(PseudoTerminal.wait(for: process) == .stop(SIGTSTP))
      #expect(try terminal.readRest().hasSuffix(Self.end))
      #expect(try terminal.settings == PseudoTerminal().settings)
      kill(process, SIGCONT)
      let frame = try terminal.read(until: Self.keys)
      #expect(frame.hasPrefix(Self.start))
      #expect(frame.contains("# The quote arrives"))
      #expect(terminal.settings == settings)
      terminal.type("q")
    }
  }

  @Test func aWindowOfAnotherSizeIsDrawnAgain() async throws {
    try await play(isOwner: true, end: .exit(0)) { terminal, _ in
      _ = try terminal.readRest()
      terminal.resize(columns: 12, rows: 40)
      #expect(try terminal.read(until: "moment 1 of ").contains("\u{1B}[H\u{1B}[2J"))
      terminal.type("q")
    }
  }

  /// A line of progress may be there.
  @Test func anErrorReplacesTheLineOfTheTerminal() async throws {
    try await onThread {
      let terminal = try PseudoTerminal()
      let process = try terminal.start("new-scenario", ["--why"])
      #expect(PseudoTerminal.wait(for: process) == .exit(64))
      #expect(try terminal.readRest().hasPrefix("\r\u{1B}[Knew-scenario: --why needs"))
    }
  }

  @Test func aSecondCtrlCEndsTheTrials() async {
    _ = await #expect(processExitsWith: .signal(SIGINT)) {
      let progress = TrialProgress(of: Program(name: "p"))
      // Threads of tests block signals.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      raise(SIGINT)
      precondition(progress.isInterrupted)
      raise(SIGINT)
    }
  }
}
