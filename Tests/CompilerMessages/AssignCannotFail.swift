import StreamsFoundation

final class Label { var text = "" }

func show(_ texts: some Publisher<String, URLError>, in label: Label) -> [AnyCancellable] {
  [texts.assign(to: \.text, on: label), texts.sink { print($0) }]
}
