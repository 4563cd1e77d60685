import Foundation

extension TodoConversation {
  /// The steps, in order.
  static let steps: [Step] =
    signingUp + loggingIn + keepingTodos + tokens + invalidRequests

  // MARK: Signing up

  private static let signingUp = [
    signUp(
      "Ada signs up", name: "Ada", email: "ada@example.com", 201,
      #"{"email":"ada@example.com","id":<ada>,"name":"Ada"}"#),
    signUp(
      "Bob signs up", name: "Bob", email: "bob@example.com", 201,
      #"{"email":"bob@example.com","id":<bob>,"name":"Bob"}"#),
    signUp(
      "an e-mail address can only be taken once", name: "Ada", email: "ada@example.com", 409,
      refusal("a user with this email already exists")),
    signUp(
      "the same address in capitals", name: "Ada", email: "ADA@example.com", 409,
      refusal("a user with this email already exists")),
    signUp(
      "a name may contain quotes and SQL", name: #"Robert'); DROP TABLE users;--"#,
      email: "robert@example.com", 201,
      #"{"email":"robert@example.com","id":<robert>,"name":"Robert'); DROP TABLE users;--"}"#),
    signUp(
      "the passwords must be the same", name: "Eve", email: "eve@example.com", again: "another one",
      400,
      refusal("password and verifyPassword differ")),
    signUp(
      "a password needs eight characters", name: "Eve", email: "eve@example.com",
      password: "seven77", 400, refusal("password is shorter than 8 characters")),
    signUp(
      "a password has at most 128 characters", name: "Eve", email: "eve@example.com",
      password: String(repeating: "p", count: 129), 400,
      refusal("password is longer than 128 characters")),
    signUp(
      "an e-mail address has an @", name: "Eve", email: "eve.example.com", 400,
      refusal("email isn't an e-mail address")),
    signUp(
      "an e-mail address has no space", name: "Eve", email: "eve @example.com", 400,
      refusal("email isn't an e-mail address")),
    signUp(
      "a name has at most 100 characters", name: String(repeating: "n", count: 101),
      email: "eve@example.com", 400,
      refusal("name is longer than 100 characters")),
    signUp(
      "a name isn't blank", name: " ", email: "eve@example.com", 400,
      refusal("name is empty")),
    users(
      "a field is missing", #"{"name":"Eve","email":"eve@example.com"}"#, 400,
      refusal("password is missing")),
    users(
      "a null field counts as missing", #"{"name":null}"#, 400, refusal("name is missing")),
    users("a name isn't a number", #"{"name":7}"#, 400, refusal("name isn't a string")),
    users(
      "a body that isn't JSON", #"{"name":"Eve","#, 400, refusal("the body isn't a JSON object")),
    users("a body that isn't an object", #"["Eve"]"#, 400, refusal("the body isn't a JSON object")),
    users("an empty body", "", 400, refusal("the body isn't a JSON object")),
    users(
      "the content type of a form", "name=Eve", type: "application/x-www-form-urlencoded", 415,
      refusal("the body must be JSON")),
    users(
      "a missing content type", "{}", type: nil, 415,
      refusal("the body must be JSON")),
    users(
      "a body that's too large", #"{"name":""# + String(repeating: "n", count: 64 << 10) + #""}"#,
      413,
      refusal("the body is larger than 64 KiB")),
  ]

  // MARK: Logging in

  private static let loggingIn = [
    logIn(
      "Ada logs in", email: "ada@example.com", 200,
      #"{"expiresIn":3600,"string":"<ada's token>"}"#),
    logIn(
      "Ada logs in with her address in capitals", email: "ADA@example.com", 200,
      #"{"expiresIn":3600,"string":"<another token>"}"#),
    logIn(
      "Bob logs in", email: "bob@example.com", 200,
      #"{"expiresIn":3600,"string":"<bob's token>"}"#),
    logIn(
      "a wrong password", email: "ada@example.com", password: "not Ada's", 401,
      refusal("wrong email or password")),
    logIn(
      "an unknown user gets the same reply", email: "eve@example.com", 401,
      refusal("wrong email or password")),
    step(
      "no credentials", "POST", "/login", status: 401,
      refusal("log in with Basic authentication: email and password")),
    step(
      "credentials that can't be decoded", "POST", "/login", .raw("Basic !"), status: 401,
      refusal("log in with Basic authentication: email and password")),
    logIn(
      "a token with a shorter lifetime", email: "ada@example.com", query: "?expiresIn=1", 200,
      #"{"expiresIn":1,"string":"<short token>"}"#),
    logIn(
      "no token lives longer than the default", email: "ada@example.com",
      query: "?expiresIn=9999999",
      200, #"{"expiresIn":3600,"string":"<long token>"}"#),
    logIn(
      "a lifetime of zero", email: "ada@example.com", query: "?expiresIn=0", 400,
      refusal("expiresIn must be a positive number of seconds")),
    logIn(
      "a lifetime that isn't a number", email: "ada@example.com", query: "?expiresIn=soon", 400,
      refusal("expiresIn must be a positive number of seconds")),
    logIn(
      "a lifetime with a sign", email: "ada@example.com", query: "?expiresIn=+5", 400,
      refusal("expiresIn must be a positive number of seconds")),
    logIn(
      "a lifetime with a leading zero", email: "ada@example.com", query: "?expiresIn=05", 400,
      refusal("expiresIn must be a positive number of seconds")),
    logIn(
      "a lifetime that's too large for a number", email: "ada@example.com",
      query: "?expiresIn=18446744073709551617", 400,
      refusal("expiresIn must be a positive number of seconds")),
  ]

  // MARK: Todos

  private static let keepingTodos = [
    todos("Ada has no todos yet", "<ada's token>", "[]"),
    post("Ada adds a todo", "<ada's token>", "Learn to swim", "<first>"),
    post(
      "a title may contain quotes and SQL", "<ada's token>", #"Say \"hello\"; DROP TABLE todos"#,
      "<second>"),
    post("Bob adds a todo", "<bob's token>", "Buy bread", "<third>"),
    todos(
      "Ada lists her todos", "<ada's token>",
      #"[{"id":<first>,"title":"Learn to swim"},"#
        + #"{"id":<second>,"title":"Say \"hello\"; DROP TABLE todos"}]"#),
    todos(
      "each of Ada's tokens works", "<another token>",
      #"[{"id":<first>,"title":"Learn to swim"},"#
        + #"{"id":<second>,"title":"Say \"hello\"; DROP TABLE todos"}]"#),
    todos("Bob lists his todos", "<bob's token>", #"[{"id":<third>,"title":"Buy bread"}]"#),
    delete(
      "Bob can't delete Ada's todo", "<first>", "<bob's token>", 403,
      refusal("this todo belongs to another user")),
    delete(
      "Ada deletes her todo", "<first>", "<ada's token>", 200,
      #"{"id":<first>,"title":"Learn to swim"}"#),
    delete(
      "a todo can only be deleted once", "<first>", "<ada's token>", 404,
      refusal("this todo doesn't exist")),
    delete(
      "a todo's ID is a number", "all", "<ada's token>", 404,
      refusal("this todo doesn't exist")),
    delete(
      "a todo's ID is positive", "-1", "<ada's token>", 404, refusal("this todo doesn't exist")),
    delete(
      "a todo's ID has no sign", "+<second>", "<ada's token>", 404,
      refusal("this todo doesn't exist")),
    delete(
      "a todo's ID has no leading zero", "0<second>", "<ada's token>", 404,
      refusal("this todo doesn't exist")),
    delete(
      "a todo's ID is written with the digits 0 to 9", "\u{661}", "<ada's token>", 404,
      refusal("this todo doesn't exist")),
    delete(
      "a todo's ID can be too large for a number", "18446744073709551617", "<ada's token>", 404,
      refusal("this todo doesn't exist")),
    post("IDs aren't reused", "<ada's token>", "Learn to fly", "<fourth>"),
    todos(
      "Ada lists the rest of her todos", "<ada's token>",
      #"[{"id":<second>,"title":"Say \"hello\"; DROP TABLE todos"},"#
        + #"{"id":<fourth>,"title":"Learn to fly"}]"#),
    step(
      "a todo needs a title", "POST", "/todos", .bearer("<ada's token>"), json: "{}",
      status: 400, refusal("title is missing")),
    step(
      "a title isn't blank", "POST", "/todos", .bearer("<ada's token>"), json: #"{"title":" "}"#,
      status: 400, refusal("title is empty")),
    step(
      "a title has no null character", "POST", "/todos", .bearer("<ada's token>"),
      json: #"{"title":"a\u0000b"}"#, status: 400, refusal("title contains a null character")),
    step(
      "a title has at most 200 characters", "POST", "/todos", .bearer("<ada's token>"),
      json: #"{"title":""# + String(repeating: "t", count: 201) + #""}"#,
      status: 400, refusal("title is longer than 200 characters")),
  ]

  // MARK: Tokens

  private static let tokens = [
    step(
      "listing todos needs a token", "GET", "/todos", status: 401,
      refusal("this needs a token: log in first")),
    step(
      "a password isn't a token", "GET", "/todos", .basic("ada@example.com", password), status: 401,
      refusal("this needs a token: log in first")),
    step(
      "a guessed token", "GET", "/todos", .bearer("guessed"), status: 401,
      refusal("the token is unknown")),
    step(
      "adding a todo needs a token", "POST", "/todos", json: #"{"title":"Nothing"}"#, status: 401,
      refusal("this needs a token: log in first")),
    step(
      "deleting a todo needs a token", "DELETE", "/todos/1", status: 401,
      refusal("this needs a token: log in first")),
    step(
      "the short token expires", "GET", "/todos", .bearer("<short token>"), status: 401,
      refusal("the token has expired"), isRepeated: true),
  ]

  // MARK: Invalid requests

  private static let invalidRequests = [
    step(
      "an unknown path", "GET", "/nowhere", status: 404,
      refusal("there's nothing at this path")),
    step(
      "a path with too many parts", "GET", "/todos/1/2", status: 404,
      refusal("there's nothing at this path")),
    step(
      "a path that ends in a slash", "DELETE", "/todos/", status: 404,
      refusal("there's nothing at this path")),
    step(
      "users can't be listed", "GET", "/users", status: 405,
      refusal("this path only supports POST"),
      headers: ["Allow": "POST"]),
    step(
      "the list of todos can't be replaced", "PUT", "/todos", .bearer("<ada's token>"), json: "[]",
      status: 405, refusal("this path only supports GET, POST"), headers: ["Allow": "GET, POST"]),
    step(
      "the server is out of order below /out-of-order", "POST", "/out-of-order/users", json: "{}",
      status: 500,
      refusal("the server is out of order")),
    step(
      "the server is out of order at /out-of-order", "GET", "/out-of-order", status: 500,
      refusal("the server is out of order")),
  ]
}

// MARK: Making steps

extension TodoConversation {
  private static let password = "correct horse"

  private static func refusal(_ reason: String) -> String {
    #"{"error":true,"reason":"\#(reason)"}"#
  }

  private static func step(
    _ title: String, _ method: String, _ path: String, _ credentials: Credentials? = nil,
    json: String? = nil, status: Int, _ reply: String, headers: [String: String] = [:],
    isRepeated: Bool = false
  ) -> Step {
    Step(
      title: title, method: method, path: path, credentials: credentials,
      contentType: json.map { _ in "application/json" }, body: json ?? "", status: status,
      reply: reply, headers: headers, isRepeated: isRepeated)
  }

  private static func users(
    _ title: String, _ body: String, type: String? = "application/json", _ status: Int,
    _ reply: String
  ) -> Step {
    Step(
      title: title, method: "POST", path: "/users", credentials: nil, contentType: type, body: body,
      status: status, reply: reply, headers: [:], isRepeated: false)
  }

  private static func signUp(
    _ title: String, name: String, email: String, password: String = password,
    again: String? = nil, _ status: Int, _ reply: String
  ) -> Step {
    users(
      title,
      #"{"name":"\#(name)","email":"\#(email)","password":"\#(password)","#
        + #""verifyPassword":"\#(again ?? password)"}"#,
      type: "application/json; charset=utf-8", status, reply)
  }

  private static func logIn(
    _ title: String, email: String, password: String = password, query: String = "",
    _ status: Int, _ reply: String
  ) -> Step {
    step(title, "POST", "/login\(query)", .basic(email, password), status: status, reply)
  }

  private static func todos(_ title: String, _ token: String, _ reply: String) -> Step {
    step(title, "GET", "/todos", .bearer(token), status: 200, reply)
  }

  private static func post(_ title: String, _ token: String, _ todo: String, _ id: String) -> Step {
    step(
      title, "POST", "/todos", .bearer(token), json: #"{"title":"\#(todo)"}"#, status: 201,
      #"{"id":\#(id),"title":"\#(todo)"}"#)
  }

  private static func delete(
    _ title: String, _ id: String, _ token: String, _ status: Int, _ reply: String
  ) -> Step {
    step(title, "DELETE", "/todos/\(id)", .bearer(token), status: status, reply)
  }
}
