import StubNetwork
import Timeline

extension Timeline {
  /// Records an event of a request.
  package func record(_ request: Int, _ kind: NetworkEvent.Kind) {
    record(.network(Event.Network(kind)), in: .request("request \(request)"))
  }
}

extension Timeline.Event.Network {
  fileprivate init(_ kind: NetworkEvent.Kind) {
    switch kind {
    case .started(let method, let url): self = .started(method: method.rawValue, url: url)
    case .waiting: self = .waiting
    case .sent: self = .sent
    case .response(let status, _): self = .response(status: status)
    case .chunk(let bytes, _): self = .chunk(bytes: bytes)
    case .finished: self = .finished
    case .failed(let code): self = .failed(code.name)
    case .cancelled(let bytes): self = .cancelled(bytes: bytes)
    case .unmatched(let reason): self = .failed("no response: \(reason)")
    }
  }
}
