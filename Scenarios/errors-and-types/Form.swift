import ScenarioKit

// region: form
/// The texts of a form's three fields.
func texts() -> some Publisher<String, Never> {
  ["5", "twelve", "8"].publisher
}

struct NotANumber: Error {
  let text: String
}

func price(of text: String) throws -> Int {
  guard let price = Int(text) else { throw NotANumber(text: text) }
  return price
}
// endregion
