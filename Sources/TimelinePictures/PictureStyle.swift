import Timeline

extension Timeline {
  /// The widths that a picture is made for.
  public enum PictureStyle: String, Hashable, Sendable, CaseIterable {
    /// For a page on a desktop: up to 720 pixels.
    case wide
    /// For a phone: up to 360 pixels, in more blocks.
    case narrow

    /// The default width in pixels.
    public var width: Int { self == .wide ? 720 : 360 }
  }

  /// The names inside a picture that's part of a page.
  package struct PictureEmbedding: Hashable, Sendable {
    /// The start of all ids: `run-` makes `run-e12`.
    package let idPrefix: String

    /// The start of all class names.
    package let classPrefix: String

    /// Makes an embedding from its two prefixes.
    package init(idPrefix: String, classPrefix: String) {
      self.idPrefix = idPrefix
      self.classPrefix = classPrefix
    }

    /// The styles of all pictures with this embedding, for the page's own style sheet. The colours
    /// follow the page's `color-scheme`.
    package var styleSheet: String { PictureColours.embeddedStyleSheet(prefix: classPrefix) }
  }
}
