import Foundation
import Streams
import VirtualWorld

#if canImport(Runtime) && os(Linux)
  import Runtime
#endif

/// The place in the user's code that called this library.
///
/// Taking one costs microseconds. Looking up its line costs much more, and is done only for a
/// report.
///
/// ## Why it can't crash
///
/// `Thread.callStackReturnAddresses` unwinds by the tables that the ABI demands of each function,
/// and that each C++ exception goes through. Code without a table ends the walk: then a line is
/// missing, but never a wrong one. Swift's own `Backtrace.capture()` isn't used, because it follows
/// frame pointers and reads what they point to. Optimised C++ keeps other things in that register.
struct CallSite: World.Site {
  #if canImport(Runtime) && os(Linux)
    /// Where the calls return to, the innermost first.
    private let returnAddresses: [UInt]

    /// A loop over the values of a stream, whose task makes a request. The calls of a task aren't
    /// on the stack while it awaits something.
    private struct Loop {
      /// Where it began.
      let returnAddresses: [UInt]
      /// How many calls led to the request. They're those of the library, and of Swift's runtime.
      let depth: Int
      /// A task that's made during the request inherits this, but has calls of its own.
      let thread = pthread_self()
    }

    @TaskLocal private static var loop: Loop?

    /// Calls beyond are those of the test framework, or of a recursion.
    private static let mostCalls = 64

    private static let calls = Locked(Calls())
  #endif

  /// Takes the place of the current call.
  init() {
    #if canImport(Runtime) && os(Linux)
      let addresses = Thread.callStackReturnAddresses
      let loop = Self.loop.flatMap { pthread_equal($0.thread, pthread_self()) != 0 ? $0 : nil }
      let own = addresses.dropLast(loop?.depth ?? 0).prefix(Self.mostCalls)
      returnAddresses = own.map(\.uintValue) + (loop?.returnAddresses ?? [])
    #endif
  }

  /// What runs the requests of a loop that begins here.
  func runnerOfRequests() -> SubscriberObservation.RequestRunner? {
    #if canImport(Runtime) && os(Linux)
      return { [returnAddresses] request in
        let loop = Loop(
          returnAddresses: returnAddresses, depth: Thread.callStackReturnAddresses.count)
        Self.$loop.withValue(loop, operation: request)
      }
    #else
      return nil
    #endif
  }

  /// The file and line; `nil` if the program has no debug information.
  var source: World.Problem.Source? {
    #if canImport(Runtime) && os(Linux)
      Self.calls.withLock { $0.innermostSource(of: returnAddresses) }
    #else
      nil
    #endif
  }

  var repeater: String? {
    #if canImport(Runtime) && os(Linux)
      Self.calls.withLock { $0.repeater(of: returnAddresses) }
    #else
      nil
    #endif
  }

  /// Whether the call came from the initializer of a global or static variable.
  ///
  /// That's so if a call runs a function for it, whose name ends with `WZ`, as Swift's document on
  /// mangling says.
  var isInGlobalInitializer: Bool {
    #if canImport(Runtime) && os(Linux)
      Self.calls.withLock { calls in
        returnAddresses.contains { address in
          calls.functions(at: address).contains { $0.hasSuffix("WZ") }
        }
      }
    #else
      false
    #endif
  }
}

#if canImport(Runtime) && os(Linux)
  /// The calls that were looked up.
  ///
  /// Looking up a line reads the line tables of the whole program, which takes a twentieth of a
  /// second in a large one. So only the calls up to the user's are looked up, and each only once: a
  /// test often leaves many things that were made in one place, and the same library calls lead
  /// there.
  struct Calls {
    private lazy var images = ImageMap.capture()

    /// By the address that a call returns to. Calls that aren't the user's have none.
    private var sources: [UInt: World.Problem.Source?] = [:]

    /// The names of the functions that call, by the same address. There are several if calls were
    /// inlined.
    private var functions: [UInt: [String]] = [:]

    /// How many lines were looked up.
    private(set) var lookUps = 0

    /// The folder of this library's sources, whose calls aren't the user's.
    private static let library: String = {
      // …/Sources/StreamsTesting/Internal/CallSite.swift
      let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
      return parts.dropLast(3).joined(separator: "/") + "/"
    }()

    /// The line of the first call that is the user's.
    mutating func innermostSource(of returnAddresses: [UInt]) -> World.Problem.Source? {
      for address in returnAddresses {
        if let source = source(at: address) { return source }
      }
      return nil
    }

    private mutating func source(at address: UInt) -> World.Problem.Source? {
      if let known = sources[address] { return known }
      lookUps += 1
      // Calls that were inlined have one address. The innermost comes first.
      let source = symbols(at: address, .default).lazy.compactMap(Self.source).first
      sources[address] = .some(source)
      return source
    }

    /// The names of the functions that call. This is quicker than looking up lines.
    mutating func functions(at address: UInt) -> [String] {
      if let known = functions[address] { return known }
      let names = symbols(at: address, [.useSymbolCache]).map(\.rawName)
      functions[address] = names
      return names
    }

    /// The operator that was told of a completion and then subscribed, which led to the calls.
    mutating func repeater(of returnAddresses: [UInt]) -> String? {
      var closure: World.Problem.Source?
      for symbol in returnAddresses.flatMap({ symbols(at: $0, .default) }) {
        closure = closure ?? Self.source(of: symbol)
        // Operators further in were subscribed to, and those further out had the same completion.
        guard symbol.rawName.contains("7receive10completion"),
          let path = symbol.sourceLocation?.path,
          path.hasPrefix(Self.library + "Streams/Operators/")
        else { continue }
        let type = path.split(separator: "/").last?.split(separator: ".").first ?? ""
        let name =
          switch type {
          case "CatchStage": "catch"
          case "Concatenate": "append"
          default: type.prefix(1).lowercased() + type.dropFirst()
          }
        return name + (closure.map { " at \($0.fileName):\($0.line)" } ?? "")
      }
      return nil
    }

    private mutating func symbols(
      at address: UInt, _ options: Backtrace.SymbolicationOptions
    ) -> [SymbolicatedBacktrace.Symbol] {
      let call = Backtrace(returnAddress: address)
      return call?.symbolicated(with: images, options: options)?.frames.compactMap(\.symbol) ?? []
    }

    /// The place of a call; `nil` if it is in this library, or in code that the compiler made.
    private static func source(of symbol: SymbolicatedBacktrace.Symbol) -> World.Problem.Source? {
      guard let location = symbol.sourceLocation, location.line > 0,
        !location.path.hasPrefix(library), !location.path.hasPrefix("<"),
        // SwiftPM makes a program of the tests, and the sanitizers come between some calls.
        !location.path.contains(".derived/"), !location.path.contains("/compiler-rt/")
      else { return nil }
      let file = location.path.split(separator: "/").last.map(String.init) ?? location.path
      return World.Problem.Source(
        fileID: "\(symbol.imageName)/\(file)", filePath: location.path, line: location.line)
    }
  }

  extension Backtrace {
    /// A backtrace with one call; `nil` if this version of Swift encodes it in another way.
    ///
    /// The only ways to make a backtrace are to capture and to decode one.
    init?(returnAddress address: UInt) {
      #if arch(x86_64)
        let architecture = "x86_64"
      #else
        let architecture = "arm64"
      #endif
      // Swift's Compact Backtrace Format: addresses have 64 bits; a return address of eight bytes,
      // the highest first; the end.
      let bytes = [0x02, 0x27] + withUnsafeBytes(of: UInt64(address).bigEndian) { Array($0) } + [0]
      let json = ["architecture": architecture, "backtrace": Data(bytes).base64EncodedString()]
      guard let data = try? JSONEncoder().encode(json),
        let backtrace = try? JSONDecoder().decode(Backtrace.self, from: data),
        case .returnAddress(let decoded)? = backtrace.frames.map({ $0 }).first,
        UInt64(decoded) == UInt64(address)
      else { return nil }
      self = backtrace
    }
  }
#endif
