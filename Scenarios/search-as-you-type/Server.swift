import ScenarioKit

/// The URL of a search. The query isn't percent-encoded, because the keystrokes are plain letters.
func searchURL(for query: String) -> URL {
  URL(absolute: "https://api.example.com/search?q=\(query)")
}

// region: responses
// note: A short query matches more, so the server takes longer.
let swResponse = StubResponse.json(#"["sway", "swing", "swift"]"#, after: .milliseconds(1500))
let swiftResponse = StubResponse.json(#"["swift", "swiftly"]"#, after: .milliseconds(200))
// endregion

// note: Its request is sent at 400 ms, so it's due at 1200 ms, when the response for `swift` is.
let earlySwResponse = StubResponse.json(#"["sway", "swing", "swift"]"#, after: .milliseconds(800))
