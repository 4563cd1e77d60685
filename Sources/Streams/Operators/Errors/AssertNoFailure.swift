extension Publisher {
  /// Stops the program if upstream fails. Use it if a failure would be a programming error.
  ///
  ///     settings.assertNoFailure("the settings are part of the program")
  ///
  /// It stops release builds too. Follows Combine's `assertNoFailure`.
  ///
  /// - Parameters:
  ///   - prefix: The text in front of the error in the message.
  ///   - file: The file that the message names.
  ///   - line: The line that the message names.
  /// - Returns: A publisher that can't fail, and passes everything else on unchanged.
  @inlinable
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// A publisher that stops the program if upstream fails; see
  /// ``Publisher/assertNoFailure(_:file:line:)-(_,_,_)``.
  public struct AssertNoFailure<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    public let upstream: Upstream
    public let prefix: String
    public let file: StaticString
    public let line: UInt

    @inlinable
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      (self.upstream, self.prefix, self.file, self.line) = (upstream, prefix, file, line)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let (prefix, file, line) = (prefix.isEmpty ? "" : "\(prefix): ", file, line)
      upstream.attach(
        CompletionStage(name: "AssertNoFailure", downstream: subscriber) {
          $0.mapError { fatalError("\(prefix)\($0)", file: file, line: line) }
        })
    }
  }
}

extension Publishers.AssertNoFailure: Sendable where Upstream: Sendable {}
