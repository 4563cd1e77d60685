extension Timeline.Recording {
  /// The recording as a picture: an SVG file with a lane for each row, and time from left to right.
  ///
  /// An instant has a tick where it begins. If several columns of events happen at it, a bracket
  /// above a grey band holds them, in the order in which they happened. A column holds what
  /// happened in the middle of one event. Where nothing happens for a long time, `//` cuts the
  /// axis.
  ///
  /// A solid arrow leads to a value from each value that it's made of, and a dotted one from what
  /// only made it happen. A clock stands on the arrow of what started a timer. Each value that a
  /// source makes has a tint and a notch, and what's made of it inherits them.
  ///
  /// Words stand in their marks, on several lines if they're long. Printed lines stand below each
  /// other. Those that only repeat a lane are left out. If the events name several threads, bars
  /// above the lanes show which one ran.
  ///
  /// Each event is a `<g id="e12">` with a title to hover over. With several parts, the first one's
  /// ids start with `p1`.
  ///
  /// The file has no scripts and needs no fonts. It follows the reader's light or dark scheme, and
  /// has a title and a description for screen readers. The same recording always gives the same
  /// bytes.
  ///
  /// - Parameters:
  ///   - part: The position of the only part to show. If `nil`, all parts stand below each other,
  ///     each under its title.
  ///   - style: `wide` for a page, `narrow` for a phone.
  ///   - key: The signs to explain below the picture, as far as it has them.
  ///   - width: The width in pixels that lanes continue below at; by default that of the style. The
  ///     picture is narrower if it needs less, and wider if a single name or value needs more.
  /// - Returns: An SVG document that ends in a newline.
  public func svg(
    part: Int? = nil, style: Timeline.PictureStyle = .wide, key: Timeline.PictureKey = .all,
    width: Int? = nil
  ) -> String {
    svg(part: part, style: style, key: key, width: width, embedding: nil)
  }

  /// The recording as a picture that's kept small, for a page with many of them.
  ///
  /// - Parameters:
  ///   - part: The position of the only part to show, or `nil` for all.
  ///   - style: The style.
  ///   - key: The signs to explain below the picture, as far as it has them.
  ///   - limits: The sizes above which the picture says less about each event.
  /// - Returns: An SVG document that ends in a newline.
  public func svg(
    part: Int?, style: Timeline.PictureStyle, key: Timeline.PictureKey = .all,
    limits: Timeline.PictureLimits
  ) -> String {
    let picture = Picture(self, part: part, width: style.width)
    func text(_ detail: SVGWriter.Detail) -> String {
      SVGWriter(picture, embedding: nil, key: key, detail: detail).text
    }
    let titles = text(.titles)
    if titles.utf8.count <= limits.titles { return titles }
    let groups = text(.groups)
    return groups.utf8.count <= limits.groups ? groups : text(.shapes)
  }

  /// The recording as a picture to put into a page; see ``svg(part:style:key:width:)``.
  ///
  /// With an embedding, the picture has no styles: the page has them once, for all its pictures.
  /// Each group of an event has `data-x` (the middle of its column, where a
  /// playhead stands), `data-row` (the position of its row in the diagram, from 0) and
  /// `data-block`. Each event has a group, even if nothing is drawn for it. Its arrow is in the
  /// group, so that both appear together.
  ///
  /// Blocks are the pieces of a diagram that's wider than the picture. Each is a
  /// `<g data-block="0" data-left data-right data-top data-bottom>` with everything that isn't an
  /// event. In it, the line of a life is one `<path data-row data-from data-to>` per block: the
  /// numbers of the events that start and end it. An open life has no `data-to`. To show a run up
  /// to an event, hide each line that starts later, and clip the others at the event's `data-x`.
  ///
  /// - Parameters:
  ///   - part: The position of the only part to show, or `nil` for all.
  ///   - style: The style.
  ///   - key: The signs to explain.
  ///   - width: The width in pixels; by default that of the style.
  ///   - embedding: The prefixes of ids and classes, or `nil` for a file.
  /// - Returns: An SVG element that ends in a newline.
  package func svg(
    part: Int? = nil, style: Timeline.PictureStyle = .wide, key: Timeline.PictureKey = .all,
    width: Int? = nil, embedding: Timeline.PictureEmbedding?
  ) -> String {
    let picture = Picture(self, part: part, width: width ?? style.width)
    return SVGWriter(picture, embedding: embedding, key: key, detail: .titles).text
  }
}

extension Timeline {
  /// The sizes in bytes above which a picture says less about each event.
  public struct PictureLimits: Hashable, Sendable {
    /// Up to this size, each event has a group with a title.
    public let titles: Int

    /// Up to this size, each event has a group. Above it, all signs of a kind are one element.
    public let groups: Int

    /// Makes limits from both sizes.
    public init(titles: Int, groups: Int) {
      self.titles = titles
      self.groups = groups
    }
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
