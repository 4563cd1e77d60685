import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A memory barrier that one thread makes all threads of the process pass.
///
/// It's Linux's `membarrier`, and costs some microseconds. So it suits an agreement between a
/// thread that checks very often, and needs no barrier of its own then, and one that comes once.
///
/// The kernel wants to be told of it first, which may take ten milliseconds. A short-lived thread
/// does that, so that no caller waits.
enum ProcessBarrier {
  enum State: UInt8, AtomicRepresentable {
    /// The kernel is being told.
    case starting
    case ready
    /// This system has no such barrier, or doesn't allow it.
    case unavailable
  }

  /// Whether ``pass()`` can be called. Asking for the first time begins to tell the kernel.
  static var state: State { shared.state.load(ordering: .acquiring) }

  /// Makes every thread of the process that is running pass a memory barrier. When this returns,
  /// they have. Only call it when ``state`` is `ready`.
  static func pass() {
    if shared.callKernel(.pass) { return }
    // A process that was saved and restored may have to tell the kernel again.
    let isPassed = shared.callKernel(.register) && shared.callKernel(.pass)
    // To go on would risk two threads at one place.
    precondition(isPassed, "the system has allowed membarrier, and now refuses it")
  }

  private static let shared = Registration()

  private final class Registration: Sendable {
    typealias SystemCall = @convention(c) (Int, Int, Int, Int) -> Int

    /// The kernel's numbers for the two commands of `membarrier` that this needs.
    enum Command: Int {
      case pass = 8
      case register = 16
    }

    let state = Atomic(State.starting)
    private let systemCall: SystemCall?

    init() {
      systemCall = Self.findSystemCall()
      guard systemCall != nil, startThread() else {
        state.store(.unavailable, ordering: .releasing)
        return
      }
    }

    func callKernel(_ command: Command) -> Bool {
      guard let systemCall, let number = Self.membarrier else { return false }
      return systemCall(number, command.rawValue, 0, 0) == 0
    }

    /// Registers the process on a thread of its own.
    private func startThread() -> Bool {
      #if os(Linux)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
          &thread, nil,
          { context in
            let registration = Unmanaged<Registration>.fromOpaque(context!).takeRetainedValue()
            let isReady = registration.callKernel(.register)
            registration.state.store(isReady ? .ready : .unavailable, ordering: .releasing)
            return nil
          }, context.toOpaque())
        guard code == 0 else {
          context.release()
          return false
        }
        pthread_detach(thread)
        return true
      #else
        return false
      #endif
    }

    /// The number of the system call.
    private static var membarrier: Int? {
      #if os(Linux) && arch(x86_64)
        324
      #elseif os(Linux) && (arch(arm64) || arch(riscv64))
        283
      #else
        nil
      #endif
    }

    /// `syscall(2)`, found by name, because Swift doesn't import functions with variable arguments.
    private static func findSystemCall() -> SystemCall? {
      #if os(Linux)
        guard membarrier != nil, let function = dlsym(nil, "syscall") else { return nil }
        return unsafeBitCast(function, to: SystemCall.self)
      #else
        return nil
      #endif
    }
  }
}
