@testable import weave_docs

/// A small package with two scenarios and no problems.
enum Fixture {
  static var tree: MemoryTree { MemoryTree(files) }

  /// The tree with further or other files.
  static func tree(_ changes: [String: String]) -> MemoryTree {
    MemoryTree(files.merging(changes) { $1 })
  }

  /// The tree with a page that holds nothing but a block, on its first line.
  ///
  /// - Parameter opening: The block's first line.
  static func tree(block opening: String, _ changes: [String: String] = [:]) -> MemoryTree {
    let page = opening + (opening.hasPrefix("```") ? "\n```\n" : "\n")
    return tree(changes.merging(["docs/page.md": page]) { $1 })
  }

  static let transcript = "Tests/ScenarioTests/Snapshots/load-page/transcript.txt"
  static let other = "Tests/ScenarioTests/Snapshots/share-load/transcript.txt"

  private static let files = [
    "Package.swift": """
    // swift-tools-version: 6.1
    let scenarios = [
      "load-page",  // the "first"
      "share-load",
    ]
    """,
    "Scenarios/load-page/main.swift": """
    import ScenarioKit

    Scenario("load-page", "One request loads a page.") { world in
      // region: pipeline
      let pages = world.session
        .dataTaskPublisher(for: url)
      // endregion
    }
    """,
    "Scenarios/load-page/Page.swift": "struct Page {}\n",
    "Scenarios/share-load/main.swift": """
    let scenario = Scenario(
      "share-load",
      "Two subscribers | one \\"request\\".")
    """,
    "Tests/ScenarioTests/LoadPageTests.swift": "import Testing\n",
    transcript: "# First\n0  request\n300ms  page\n\n# Second\n600ms  page\n",
    "Tests/ScenarioTests/Snapshots/load-page/marble.txt": "--a|\n",
    other: "# First\n0  request\n300ms  shared page\n\n# Second\n600ms  page\n",
    "README.md": "# Streams\n\nSee the [course](docs/README.md#the-course).\n",
    "docs/README.md": """
    # The course

    <!-- course -->
    1. [Load a page](scenarios/load-page.md)
    2. [Share a load](scenarios/share-load.md)

    """,
    "docs/scenarios/load-page.md": "# Load a page\n\nIt arrives.\n",
    "docs/scenarios/share-load.md": "# Share a load\n\nIt arrives once.\n",
  ]
}

/// The woven lines of the one block of a page, without the source or the comment that asks for it.
func woven(_ tree: MemoryTree, page: String = "docs/page.md") -> [String] {
  let weaver = Weaver(tree)
  let lines = weaver.pages.first { $0.path == page }?.lines.map(\.text) ?? []
  let first = lines.first ?? ""
  let opening = first.hasPrefix("```") ? [String(first.prefix { $0 != " " })] : []
  return weaver.problems.map(\.description) + opening + lines.dropFirst()
}

/// The problems of a tree.
func problems(_ tree: MemoryTree) -> [String] { Weaver(tree).problems.map(\.description) }
