import Timeline

/// The source files that events refer to, each read once.
struct CodeIndex {
  struct Place: Hashable {
    let file: Int
    let line: Int
  }

  private let sources: SourceFiles
  private var indices: [String: Int?] = [:]
  private var places: [Timeline.SourceLine: Place?] = [:]
  private(set) var files: [SourceFiles.File] = []

  init(_ scenario: Scenario) {
    sources = scenario.sources
    _ = index(of: sources.mainID)
  }

  mutating func place(of line: Timeline.SourceLine) -> Place? {
    if let known = places[line] { return known }
    let place = findPlace(of: line)
    places[line] = .some(place)
    return place
  }

  private mutating func findPlace(of line: Timeline.SourceLine) -> Place? {
    guard let index = index(of: line.fileID),
      let shown = files[index].shownLine(for: line.line)
    else { return nil }
    return Place(file: index, line: shown)
  }

  private mutating func index(of fileID: String) -> Int? {
    if let known = indices[fileID] { return known }
    let file = sources.read(fileID)
    indices[fileID] = .some(file == nil ? nil : files.count)
    if let file { files.append(file) }
    return file == nil ? nil : files.count - 1
  }
}
