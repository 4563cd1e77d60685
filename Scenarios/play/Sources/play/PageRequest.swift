/// What a page asks for, as far as the server has to know.
struct PageRequest: Codable {
  enum Wanted: String, Codable {
    case picture, endings
  }

  let id: Int
  let part: Int
  var flags: [String]?
  var wants: Wanted?
}
