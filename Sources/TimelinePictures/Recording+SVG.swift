import Timeline

extension Timeline.Recording {
  /// The recording as a picture: an SVG file with a lane for each row, and time from left to right.
  ///
  /// From left to right there's only time: an instant is one column, and the distances between
  /// instants are to scale where the axis is solid. What happens in a row at one instant stands
  /// below each other, in the order in which it happened. Marks of one push through several rows
  /// stand at the same level. Where nothing happens for a long time, `//` cuts the axis.
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
  ///   - limit: The size in bytes above which events have no groups and titles, and all signs of a
  ///     kind are one element.
  /// - Returns: An SVG document that ends in a newline.
  public func svg(
    part: Int?, style: Timeline.PictureStyle, key: Timeline.PictureKey = .all, limit: Int
  ) -> String {
    let picture = Picture(self, part: part, width: style.width)
    let text = picture.svg(key: key, embedding: nil)
    return text.utf8.count <= limit
      ? text : picture.svg(key: key, embedding: nil, hasGroups: false)
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
    Picture(self, part: part, width: width ?? style.width).svg(key: key, embedding: embedding)
  }

  /// The signs that the picture of a part needs a key for. A page that shows several pictures
  /// explains each sign once.
  ///
  /// - Parameter part: The position of the part.
  /// - Returns: The signs.
  public func pictureKey(ofPart part: Int) -> Timeline.PictureKey {
    Picture(self, part: part, width: Timeline.PictureStyle.wide.width).key
  }
}
