import Foundation
import FoundationNetworking
import Testing
import TodoAPI

@Suite struct KillTests {
  /// An acknowledged change isn't lost, no matter when the server is killed.
  @Test func everythingAcknowledgedIsThereAfterAKill() async throws {
    let folder = try TemporaryFolder()
    var server = try RunningServer(in: folder)
    _ = try await send(.signUp("a@b"), to: server.base)
    let token = try await send(.logIn("a@b"), to: server.base).authorization
    func todos() async throws -> [Todo] {
      let reply = try await send(.json("GET", "/todos", token), to: server.base)
      return try JSONDecoder().decode([Todo].self, from: reply.body)
    }

    var expected: [Todo] = []
    for round in 1...20 {
      // Posts until the server is killed, in the middle of a post.
      let killAfter = expected.count + round
      while true {
        // On another thread, so that it happens during the post.
        if expected.count == killAfter {
          DispatchQueue.global().async { [server] in server.program.signal(SIGKILL) }
        }
        let post = TodoRequest.json(
          "POST", "/todos", token, #"{"title":"\#(expected.count)"}"#)
        guard let reply = try? await send(post, to: server.base) else { break }
        #expect(reply.status == 201)
        expected.append(try JSONDecoder().decode(Todo.self, from: reply.body))
      }
      #expect(try server.program.result().status == -SIGKILL)

      server = try RunningServer(in: folder)
      let kept = try await todos()
      #expect(kept.prefix(expected.count) == expected[...])
      // The last post may have been saved, with the kill coming before its response.
      #expect(kept.count - expected.count <= 1)
      expected = kept
    }
  }
}
