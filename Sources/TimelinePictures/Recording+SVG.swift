import Timeline

extension Timeline.Recording {
  /// The recording as a picture: an SVG file with a lane for each row, and time from left to right.
  ///
  /// From left to right there's only time, and the distances between instants are to scale where
  /// the axis is straight. Two things that happen in a row at one instant stand below each other.
  /// If there are more, or several values, each push through the rows has a column, and a bracket
  /// holds the columns of an instant together. Where nothing happens for a long time, `//` cuts the
  /// axis.
  ///
  /// A solid arrow leads to a value from each value that it's made of, and a dotted one from what
  /// only made it happen. A clock stands on the arrow of what started a timer. Each value that a
  /// source makes has a tint and a notch, and what's made of it inherits them. The words of values
  /// that the program got are bold. A value that an operator dropped has a dashed box.
  ///
  /// Words stand in their marks, on several lines if they're long. Printed lines stand below each
  /// other. Those that only repeat a lane are left out. If the events name several threads, each
  /// has a row above the lanes, with a bar at each instant at which it ran something.
  ///
  /// Each event is a `<g id="e12">` with a title to hover over. With several parts, the first one's
  /// ids start with `p1`.
  ///
  /// The title above the lanes and the key below them stay with the file wherever it's shown. The
  /// key explains the signs that the picture has, and no others.
  ///
  /// The file has no scripts and needs no fonts. It follows the reader's light or dark scheme, and
  /// has a title and a description for screen readers. The same recording always gives the same
  /// bytes.
  ///
  /// - Parameters:
  ///   - part: The position of the only part to show. If `nil`, all parts stand below each other,
  ///     each under its title.
  ///   - title: What's running, which stands above the picture. By default, that's the title of the
  ///     part, if only one is shown.
  ///   - style: `wide` for a page, `narrow` for a phone.
  ///   - width: The width in pixels that lanes continue below at; by default that of the style. The
  ///     picture is narrower if it needs less, and wider if a single name or value needs more.
  /// - Returns: An SVG document that ends in a newline.
  public func svg(
    part: Int? = nil, title: String? = nil, style: Timeline.PictureStyle = .wide,
    width: Int? = nil
  ) -> String {
    Picture(self, part: part, title: title, width: width ?? style.width).svg()
  }

  /// The recording as a picture that's kept small, for a page with many of them.
  ///
  /// - Parameters:
  ///   - part: The position of the only part to show, or `nil` for all.
  ///   - title: What's running, which stands above the picture.
  ///   - style: The style.
  ///   - limit: The size in bytes above which events have no groups and titles, and all signs of a
  ///     kind are one element.
  /// - Returns: An SVG document that ends in a newline.
  public func svg(
    part: Int?, title: String? = nil, style: Timeline.PictureStyle, limit: Int
  ) -> String {
    let picture = Picture(self, part: part, title: title, width: style.width)
    let text = picture.svg()
    return text.utf8.count <= limit ? text : picture.svg(hasGroups: false)
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
  ///   - width: The width in pixels; by default that of the style.
  ///   - embedding: The prefixes of ids and classes, or `nil` for a file.
  /// - Returns: An SVG element that ends in a newline.
  package func svg(
    part: Int? = nil, style: Timeline.PictureStyle = .wide, width: Int? = nil,
    embedding: Timeline.PictureEmbedding?
  ) -> String {
    Picture(self, part: part, width: width ?? style.width).svg(embedding: embedding)
  }
}
