import Foundation
import FoundationNetworking
import ServerTestSupport
import Testing
import TodoAPI

/// An acknowledged change isn't lost, no matter how the server ends.
@Suite struct KillTests {
  @Test func everythingAcknowledgedIsThereAfterAKill() throws {
    let folder = try TemporaryFolder()
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let first = try RunningServer(in: folder)
    let token = try session.signUp(at: first.base)

    // Posts until the server is killed, in the middle of a post.
    var acknowledged: [Todo] = []
    let killAfter = 25
    let server = first.program
    while true {
      let title = "todo \(acknowledged.count + 1)"
      if acknowledged.count == killAfter {
        // On another thread, so that it happens during the post.
        DispatchQueue.global().async { server.kill() }
      }
      do {
        let reply = try session.post(title, token, at: first.base)
        #expect(reply.status == 201)
        acknowledged.append(try JSONDecoder().decode(Todo.self, from: reply.body))
      } catch is URLError { break }
    }
    #expect(try first.program.result().status == -SIGKILL)
    #expect(acknowledged.count >= killAfter)

    let second = try RunningServer(in: folder)
    let reply = try session.reply(
      to: TodoRequest(method: "GET", path: "/todos", authorization: "Bearer \(token)"),
      of: second.base)
    #expect(reply.status == 200)
    let todos = try JSONDecoder().decode([Todo].self, from: reply.body)
    #expect(todos.prefix(acknowledged.count) == acknowledged[...])
    // The last post may have been saved, with the kill coming before its response.
    #expect(todos.count - acknowledged.count <= 1)
    // And the new server works.
    #expect(try session.post("after the kill", token, at: second.base).status == 201)
  }
}
