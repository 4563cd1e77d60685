#if canImport(Combine)
  import Combine

  extension Publisher {
    public func twice() -> Publishers.Map<Self, [Output]> { map { [$0, $0] } }
  }
#endif
