/// A family of operators, which is a folder of examples and a section of the index.
struct OperatorFamily: Equatable {
  let name: String
  /// The purpose of its members, as the heading of a section.
  let purpose: String

  static let all = [
    ("Sources", "Start a stream"),
    ("Mapping", "Change values and errors"),
    ("Filtering", "Leave values out"),
    ("Selecting", "Take some of the values"),
    ("Reducing", "Turn many values into one"),
    ("Combining", "Combine several streams"),
    ("Timing", "Work with time"),
    ("Buffering", "Hold values back"),
    ("Errors", "Handle failures"),
    ("Scheduling", "Choose the thread"),
    ("Sharing", "Share one subscription"),
    ("Coding", "Encode and decode"),
    ("Debugging", "See what happens"),
    ("Subscribing", "Receive values, and hand streams on"),
    ("Async", "Work with async code"),
  ].map(OperatorFamily.init)

  /// The section above all families.
  static let everyDayPurpose = "Every day"

  /// The names of the pages in it, from what changes a value to what receives it. Most code gets by
  /// with these.
  static let everyDay = [
    "map", "compact-map", "filter", "remove-duplicates", "debounce", "combine-latest", "flat-map",
    "switch-to-latest", "catch", "receive-on", "assign", "sink",
  ]
}
