import ScenarioKit

/// The data and the response of a data task, with a description that's the same in every run.
///
/// Foundation describes a response with its memory address, and `print()` would write that.
struct PrintableResponse: CustomStringConvertible {
  let data: Data
  let response: URLResponse

  var description: String { "\(stableText(data)), \(stableText(response))" }
}
