import HTTPTypes
import Hummingbird
import HummingbirdCore
import TodoAPI

extension HTTPField.Name {
  /// The header field that names the run of a scenario.
  fileprivate static var scenarioRun: HTTPField.Name? { HTTPField.Name("Scenario-Run") }
}

/// Responds from the script if it has the path, and from the API otherwise.
struct Responder: HTTPResponder {
  let script: Script
  let service: TodoService

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    var response = try await makeResponse(to: request, on: context)
    // Tells the client what `RequestGate` does.
    response.headers[.connection] = "close"
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func makeResponse(
    to request: Request, on context: ConnectionContext
  ) async throws -> Response {
    let run = HTTPField.Name.scenarioRun.flatMap { request.headers[$0] }
    guard script.accepts(run: run) else {
      return TodoReply.refusal(400, "Scenario-Run isn't the name of a run").response
    }
    if request.method == .get || request.method == .head,
      let response = script.response(to: request.uri, run: run)
    {
      return try await response.makeResponse(on: context.channel)
    }
    return try await service.response(
      to: request, from: ClientAddress(context.channel.remoteAddress))
  }
}
