import Testing

/// Which requests of a new scenario the server doesn't know yet.
@Suite struct UnservedTests {
  @Test(arguments: [
    "GET /quote", "HEAD /quote", "GET /status?now", "GET /search?q=sw", "POST /users",
    "POST /login?expiresIn=1", "GET /todos", "DELETE /todos/N", "GET /out-of-order",
  ])
  func theServerKnows(_ request: String) {
    #expect(unserved([request]) == [])
  }

  @Test(arguments: [
    "GET /hello", "POST /quote", "GET /search", "GET /users", "PUT /todos", "GET", "",
  ])
  func theServerDoesNotKnow(_ request: String) {
    #expect(unserved(["GET /quote", request]) == [request])
  }
}
