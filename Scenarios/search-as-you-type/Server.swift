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

// region: early-response
// note: The request for `sw` is sent at 400 ms and the one for `swift` at 1000 ms, so both responses
// are due at 1200 ms.
let earlySwResponse = StubResponse.json(#"["sway", "swing", "swift"]"#, after: .milliseconds(800))
// endregion
