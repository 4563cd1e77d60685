import Streams
import StreamsTesting

extension Publisher {
  /// Checks the contract between publishers and subscribers, and passes what breaks it to a
  /// closure, such as `value without demand: value 3, but only 2 were requested`.
  ///
  /// ```swift
  /// let log = CallLog()
  /// let history = source.checkingContract(into: log.append).history()
  /// ```
  ///
  /// - Parameters:
  ///   - rules: The rules that may be broken here, because Combine's operator breaks them too.
  ///   - record: Called with each violation.
  package func checkingContract(
    allowing rules: Set<ContractViolation.Rule> = [],
    into record: @escaping @Sendable (String) -> Void
  ) -> Publishers.CheckingContract<Self> {
    checkingContract(reportingTo: { violation in
      if !rules.contains(violation.rule) {
        record("\(violation.rule.rawValue): \(violation.details)")
      }
    })
  }
}
