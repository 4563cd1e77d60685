import HTTPTypes
import Hummingbird
import HummingbirdCore
import TodoAPI

extension HTTPField.Name {
  /// Names the run of a scenario that a request is part of.
  fileprivate static var scenarioRun: HTTPField.Name? { HTTPField.Name("Scenario-Run") }
}

/// Answers from the script, and what that does not know from the API.
struct Responder: HTTPResponder {
  let script: Script
  let api: TodoAPI

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    var response = try await answer(to: request, on: context)
    // What `OneRequestHandler` does anyway, said to the client.
    response.headers[.connection] = "close"
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func answer(
    to request: Request, on context: ConnectionContext
  ) async throws -> Response {
    if request.method == .get || request.method == .head,
      let answer = script.answer(
        to: request.uri, run: HTTPField.Name.scenarioRun.flatMap { request.headers[$0] })
    {
      return try await answer.response(on: context.channel)
    }
    return try await api.response(to: request)
  }
}
