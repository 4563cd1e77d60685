import Foundation
import Synchronization

/// What a program has to undo on its terminal before it ends, whichever way it ends: by `exit`, by
/// a signal, or by a trap.
///
/// A signal ends the program as it would have without this, so the parent sees the same status.
/// Signals that the program ignores, or that have a handler of their own, stay as they are, except
/// the runtime's handlers for crashes: they run after this. Nothing can handle `SIGKILL`.
///
/// A signal's handler may run on any thread, between any two instructions. So it takes no lock and
/// allocates nothing: an atomic exchange gives the note to the one thread that undoes it.
struct TerminalUndo {
  /// A file of the terminal, which is never closed.
  let descriptor: Int32
  /// Written first.
  let text: StaticString
  /// Set then; `nil` if they weren't changed.
  var settings: termios?

  /// The note, which belongs to the thread that takes it out.
  nonisolated(unsafe) private static let pending = Atomic<UnsafeMutablePointer<TerminalUndo>?>(nil)

  /// Makes signals undo what will be noted. A handler mustn't be the first to call it.
  static func prepare() { _ = handlers }

  /// Notes what to undo, instead of what was noted before.
  static func note(_ undo: TerminalUndo) {
    prepare()
    let place = UnsafeMutablePointer<TerminalUndo>.allocate(capacity: 1)
    place.initialize(to: undo)
    free(pending.exchange(place, ordering: .acquiringAndReleasing))
  }

  /// Forgets what to undo, because that was done.
  static func forget() {
    free(pending.exchange(nil, ordering: .acquiringAndReleasing))
  }

  /// Undoes what was noted, if there's something.
  static func perform() {
    guard let place = pending.exchange(nil, ordering: .acquiringAndReleasing) else { return }
    place.pointee.run()
    free(place)
  }

  private static func free(_ place: UnsafeMutablePointer<TerminalUndo>?) {
    place?.deinitialize(count: 1)
    place?.deallocate()
  }

  // MARK: In a signal's handler

  /// Undoes what was noted, and lets a signal end the program. For handlers, after ``prepare()``.
  static func end(by signal: Int32) {
    // The memory isn't freed, because the program ends.
    pending.exchange(nil, ordering: .acquiringAndReleasing)?.pointee.run()
    sigaction(signal, formerActions + Int(signal), nil)
    // It comes when the handler returns.
    raise(signal)
  }

  private func run() {
    // A program in the background would be stopped by what it does to the terminal.
    var (stop, former) = (sigset_t(), sigset_t())
    sigemptyset(&stop)
    sigaddset(&stop, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &stop, &former)
    write()
    let group = tcgetpgrp(descriptor)
    // In the background, the settings are those of the program in the foreground.
    if var settings, group < 0 || group == getpgrp() {
      tcsetattr(descriptor, TCSANOW, &settings)
    }
    pthread_sigmask(SIG_SETMASK, &former, nil)
  }

  /// Writes the text, but gives up if the terminal takes nothing for a second.
  private func write() {
    var written = 0
    while written < text.utf8CodeUnitCount {
      let count = Foundation.write(
        descriptor, text.utf8Start + written, text.utf8CodeUnitCount - written)
      if count > 0 {
        written += count
      } else if errno == EAGAIN {
        var file = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&file, 1, 1_000) <= 0 { return }
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Opens the terminal once more, so that writing to it doesn't wait forever, and goes on when the
  /// program closes its own file.
  ///
  /// - Returns: A file for a note; the same one if that isn't possible.
  static func open(_ descriptor: Int32) -> Int32 {
    let file = Foundation.open(
      "/proc/self/fd/\(descriptor)", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    return file < 0 ? descriptor : file
  }

  // MARK: The handlers

  private static let lastSignal: Int32 = 64

  /// What each signal did before; the standard action for those that this leaves alone.
  ///
  /// Only `handlers` writes it, before a handler can read it.
  nonisolated(unsafe) private static let formerActions = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: Int(lastSignal) + 1)
    actions.initialize(repeating: sigaction(), count: Int(lastSignal) + 1)
    return actions
  }()

  /// Signals that don't end a program.
  private static let harmless: Set<Int32> = [
    SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH,
  ]

  /// Signals of a crash. The runtime may have a handler for them, which prints a backtrace.
  private static let crashes: Set<Int32> = [
    SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
  ]

  /// Installs the handlers, once.
  private static let handlers: Void = {
    // Made here, because a handler mustn't be the first to read it.
    _ = pending.load(ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { TerminalUndo.end(by: $0) }
    sigemptyset(&action.sa_mask)
    // A stack that overflowed has no room for a handler.
    action.sa_flags = SA_ONSTACK
    for number in 1...lastSignal where !harmless.contains(number) {
      var former = sigaction()
      // Some numbers belong to the C library, which refuses this.
      guard sigaction(number, nil, &former) == 0 else { continue }
      switch former.place {
      case .standard: break
      case .handler where crashes.contains(number): formerActions[Int(number)] = former
      case .ignored, .handler: continue
      }
      sigaction(number, &action, nil)
    }
    atexit { TerminalUndo.perform() }
  }()
}

extension sigaction {
  /// Where a signal goes.
  enum Place {
    case standard
    case ignored
    case handler
  }

  /// Where the signal goes. Two of the addresses aren't functions, so they're compared as numbers.
  var place: Place {
    switch unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) {
    case unsafeBitCast(SIG_DFL, to: Int.self): .standard
    case unsafeBitCast(SIG_IGN, to: Int.self): .ignored
    default: .handler
    }
  }
}
