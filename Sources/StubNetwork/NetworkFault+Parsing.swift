/// Reading faults from the words that describe them.
extension NetworkFault {
  /// Reads faults of one run, such as `request 1 is refused`, or `request 1 is refused, and then
  /// from request 2 on, each request gets a 401`.
  ///
  /// - Throws: ``ParsingError`` if a part of the text isn't a fault.
  package static func list(parsing text: String) throws(ParsingError) -> [NetworkFault] {
    var faults: [NetworkFault] = []
    for part in text.split(separator: separator, omittingEmptySubsequences: false) {
      guard let fault = NetworkFault(parsing: part) else { throw ParsingError(text: String(part)) }
      faults.append(fault)
    }
    return faults
  }

  /// Faults of one run in words, as ``list(parsing:)`` reads them.
  package static func description(of faults: [NetworkFault]) -> String {
    faults.map(\.description).joined(separator: separator)
  }

  private static let separator = ", and then "

  private init?(parsing text: Substring) {
    if let match = text.wholeMatch(of: #/from request (\d{1,9}) on, each request (.+)/#),
      let request = Int(match.1), let kind = Kind(parsing: match.2)
    {
      self.init(request: request, kind, isLasting: true)
    } else if let match = text.wholeMatch(of: #/request (\d{1,9}) (.+)/#),
      let request = Int(match.1), let kind = Kind(parsing: match.2)
    {
      self.init(request: request, kind)
    } else {
      return nil
    }
    if request == 0 { return nil }
  }

  /// A text that isn't a fault.
  package struct ParsingError: Error, Hashable, CustomStringConvertible {
    /// The text.
    package let text: String

    /// The text, and what to write instead.
    package var description: String {
      "\"\(text)\" isn't a fault: write a request and what goes wrong with it, such as "
        + "\"request 1 is refused\", \"request 2 gets a 401\" or "
        + "\"from request 1 on, each request times out\""
    }
  }
}

extension NetworkFault.Kind {
  /// The kinds without a number of their own.
  private static let fixed: [Self] = [
    .refused, .timedOut, .malformedBody, .captivePortal, .emptyBody, .slow(times: 2),
  ]

  fileprivate init?(parsing text: Substring) {
    if let kind = Self.fixed.first(where: { $0.description == text }) {
      self = kind
    } else if let match = text.wholeMatch(of: #/gets a ([2-5]\d\d)/#), let status = Int(match.1) {
      self = .status(status)
    } else if let match = text.wholeMatch(of: #/is lost after (\d{1,9}) bytes?/#),
      let bytes = Int(match.1)
    {
      self = .lost(afterBytes: bytes)
    } else if let match = text.wholeMatch(of: #/is (\d{1,4}) times as slow/#),
      let times = Int(match.1), times > 0
    {
      self = .slow(times: times)
    } else {
      return nil
    }
  }
}
