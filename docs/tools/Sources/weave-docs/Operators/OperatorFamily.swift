/// A family of operators, which is a folder of examples and a section of the index.
enum OperatorFamily: String, CaseIterable {
  case sources = "Sources"
  case mapping = "Mapping"
  case filtering = "Filtering"
  case selecting = "Selecting"
  case reducing = "Reducing"
  case combining = "Combining"
  case timing = "Timing"
  case buffering = "Buffering"
  case errors = "Errors"
  case scheduling = "Scheduling"
  case sharing = "Sharing"
  case coding = "Coding"
  case debugging = "Debugging"
  case subscribing = "Subscribing"
  case async = "Async"

  /// The purpose of its members, as the heading of a section.
  var purpose: String {
    switch self {
    case .sources: "Start a stream"
    case .mapping: "Change values and errors"
    case .filtering: "Leave values out"
    case .selecting: "Take some of the values"
    case .reducing: "Turn many values into one"
    case .combining: "Combine several streams"
    case .timing: "Work with time"
    case .buffering: "Hold values back"
    case .errors: "Handle failures"
    case .scheduling: "Choose the thread"
    case .sharing: "Share one subscription"
    case .coding: "Encode and decode"
    case .debugging: "See what happens"
    case .subscribing: "Receive values, and hand streams on"
    case .async: "Work with async code"
    }
  }
}
