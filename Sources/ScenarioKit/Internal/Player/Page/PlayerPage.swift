/// The web page of a player. It needs no other file and no network.
struct PlayerPage {
  let data: PlayerData

  init(_ data: PlayerData) { self.data = data }

  /// The whole file.
  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(data.scenario.escapedForHTML), step by step</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    \(Self.markup)
    <script type="application/json" id="run">\(data.json)</script>
    <script>
    "use strict";
    (() => {
    \(Self.scripts.joined(separator: "\n"))
    })();
    </script>
    </body>
    </html>

    """
  }

  /// The script, from the model of a run to what answers the keys.
  private static let scripts = [modelScript, codeScript, panelScript, pictureScript, controlScript]
}

extension String {
  /// The text as it stands in HTML, outside of tags.
  var escapedForHTML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
