import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ScenarioKit

/// Whichever way a program ends or stops, its terminal is what it was before.
@Suite struct TerminalUndoTests {
  /// What `--play` writes last.
  private static let end = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  private static let start = "\u{1B}[?1049h\u{1B}[?25l"
  /// The end of a frame.
  private static let keys = "q leaves"
  private static let play = ["--play", "--part", "1"]

  /// Starts to play, and compares how that ends.
  private func play(
    isOwner: Bool = false, end expected: PseudoTerminal.End,
    _ act: @escaping @Sendable (PseudoTerminal, pid_t) throws -> Void
  ) async throws {
    try await onThread {
      let terminal = try PseudoTerminal()
      let before = terminal.settings
      let process = try terminal.start("new-scenario", Self.play, isOwner: isOwner)
      #expect(try terminal.read(until: Self.keys).hasPrefix(Self.start))
      #expect(terminal.settings != before)
      try act(terminal, process)
      #expect(PseudoTerminal.wait(for: process) == expected)
      #expect(try terminal.readRest().hasSuffix(Self.end))
      #expect(terminal.settings == before)
    }
  }

  @Test(arguments: [
    SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGALRM, SIGABRT, SIGSEGV, SIGTRAP, 40,
  ])
  func aSignalEndsTheProgramAndItsScreen(_ signal: Int32) async throws {
    try await play(end: .signal(signal)) { kill($1, signal) }
  }

  @Test(arguments: ["q", "\u{3}", "\u{4}", "\u{1C}"])
  func aKeyEndsTheScreen(_ key: String) async throws {
    try await play(isOwner: true, end: .exit(0)) { terminal, _ in terminal.type(key) }
  }

  @Test func aStoppedProgramGivesTheTerminalBack() async throws {
    try await play(end: .exit(0)) { terminal, process in
      let settings = terminal.settings
      for key in [nil, "\u{1A}"] {
        if let key { terminal.type(key) } else { kill(process, SIGTSTP) }
        #expect(PseudoTerminal.wait(for: process) == .stop(SIGTSTP))
        #expect(try terminal.readRest().hasSuffix(Self.end))
        #expect(try terminal.settings == PseudoTerminal().settings)
        kill(process, SIGCONT)
        let frame = try terminal.read(until: Self.keys)
        #expect(frame.hasPrefix(Self.start))
        #expect(frame.contains("# The quote arrives"))
        #expect(terminal.settings == settings)
      }
      terminal.type("q")
    }
  }

  /// Nothing can handle `SIGSTOP`.
  @Test func aProgramThatGoesOnTakesTheTerminalAgain() async throws {
    try await play(end: .exit(0)) { terminal, process in
      let settings = terminal.settings
      kill(process, SIGSTOP)
      #expect(PseudoTerminal.wait(for: process) == .stop(SIGSTOP))
      try terminal.reset()
      kill(process, SIGCONT)
      #expect(try terminal.read(until: Self.keys).contains("\u{1B}[?25l"))
      #expect(terminal.settings == settings)
      terminal.type("q")
    }
  }

  @Test func aStoppedProgramCanBeEnded() async throws {
    try await play(end: .signal(SIGTERM)) { terminal, process in
      kill(process, SIGTSTP)
      #expect(PseudoTerminal.wait(for: process) == .stop(SIGTSTP))
      // A shell sends both.
      kill(process, SIGTERM)
      kill(process, SIGCONT)
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

  @Test func aTerminalThatIsGoneEndsTheProgram() async throws {
    try await onThread {
      let terminal = try PseudoTerminal()
      let process = try terminal.start("new-scenario", Self.play, isOwner: true)
      try terminal.read(until: Self.keys)
      terminal.hangUp()
      #expect(PseudoTerminal.wait(for: process) == .signal(SIGHUP))
    }
  }

  @Test func anIgnoredSignalStaysIgnored() async throws {
    try await onThread {
      let terminal = try PseudoTerminal()
      let before = terminal.settings
      let program = builtProduct("new-scenario").path
      let process = try terminal.start(
        ["/bin/sh", "-c", "trap '' HUP; exec '\(program)' --play --part 1"])
      try terminal.read(until: Self.keys)
      kill(process, SIGHUP)
      terminal.type("l")
      #expect(try terminal.read(until: Self.keys).contains("moment 2 of"))
      terminal.type("q")
      #expect(PseudoTerminal.wait(for: process) == .exit(0))
      #expect(terminal.settings == before)
    }
  }

  // MARK: Other ends

  private static let note = TerminalUndo(descriptor: STDERR_FILENO, text: "<undone>")

  /// Sends a signal to this thread. Threads of tests block signals.
  private static func send(_ signal: Int32) {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    raise(signal)
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func exitUndoes() async {
    let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent])
    {
      TerminalUndo.note(Self.note)
      exit(3)
    }
    #expect(text(result).hasSuffix("<undone>"))
  }

  @Test func aTrapUndoes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TerminalUndo.note(Self.note)
      fatalError("a mistake")
    }
    #expect(text(result).contains("<undone>"))
    #expect(text(result).contains("a mistake"))
  }

  @Test func itIsUndoneOnce() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      TerminalUndo.note(Self.note)
      TerminalUndo.perform()
      TerminalUndo.perform()
      exit(0)
    }
    #expect(text(result).components(separatedBy: "<undone>").count == 2)
  }

  @Test func whatIsForgottenIsNotUndone() async {
    let result = await #expect(
      processExitsWith: .signal(SIGTERM), observing: [\.standardErrorContent]
    ) {
      TerminalUndo.note(Self.note)
      TerminalUndo.forget()
      Self.send(SIGTERM)
    }
    #expect(!text(result).contains("<undone>"))
  }

  /// Shows a line of progress, which is still there when the body runs.
  private static func showProgress(_ body: () -> Void) {
    let now = Atomic<UInt64>(0)
    let progress = TrialProgress(
      write: { Program(name: "p").writeError($0) },
      undo: TerminalUndo(descriptor: STDERR_FILENO, text: "<cleared>"),
      uptime: { now.load(ordering: .relaxed) })
    now.store(1_000_000_000, ordering: .relaxed)
    progress.begin("part 1 of 1", isLast: true)
    progress.note(outcomes: 1, runsLeft: 5, isFinal: true)
    body()
    progress.clear()
  }

  @Test func aSignalRemovesTheLineOfProgress() async {
    let result = await #expect(
      processExitsWith: .signal(SIGTERM), observing: [\.standardErrorContent]
    ) {
      Self.showProgress { Self.send(SIGTERM) }
    }
    #expect(text(result).hasSuffix("about 5 s left\u{1B}[K<cleared>"))
  }

  @Test func anErrorComesAfterTheLineOfProgressIsRemoved() async {
    let result = await #expect(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) {
      Self.showProgress {
        Program(name: "p").printError("a problem")
        Program(name: "p").exit(.failure)
      }
    }
    #expect(text(result).hasSuffix("about 5 s left\u{1B}[K<cleared>p: a problem\n"))
  }

  @Test func aLineThatWasRemovedIsNotRemovedAgain() async {
    let result = await #expect(
      processExitsWith: .signal(SIGTERM), observing: [\.standardErrorContent]
    ) {
      Self.showProgress {}
      Self.send(SIGTERM)
    }
    #expect(text(result).hasSuffix("about 5 s left\u{1B}[K\r\u{1B}[K"))
  }

  @Test func aSecondCtrlCEndsTheTrials() async {
    _ = await #expect(processExitsWith: .signal(SIGINT)) {
      let progress = TrialProgress(of: Program(name: "p"))
      Self.send(SIGINT)
      precondition(progress.isInterrupted)
      Self.send(SIGINT)
    }
  }
}
