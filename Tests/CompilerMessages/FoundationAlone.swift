import Foundation

final class Model: ObservableObject {
  @Published var name = ""

  func load(_ request: URLRequest) {}
}

extension URLSession.DataTaskPublisher {}
