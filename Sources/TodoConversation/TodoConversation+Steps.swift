import Foundation

extension TodoConversation {
  /// The steps, in order.
  public static let steps: [Step] =
    signingUp + loggingIn + keepingTodos + tokens + requestsThatAreNone

  // MARK: Signing up

  private static let signingUp = [
    signUp(
      "Ada signs up", name: "Ada", email: "ada@example.com", 201,
      #"{"email":"ada@example.com","id":<ada>,"name":"Ada"}"#),
    signUp(
      "Bob does too", name: "Bob", email: "bob@example.com", 201,
      #"{"email":"bob@example.com","id":<bob>,"name":"Bob"}"#),
    signUp(
      "an e-mail address is taken once", name: "Ada", email: "ada@example.com", 409,
      refusal("a user with this email exists")),
    signUp(
      "in capitals it is the same address", name: "Ada", email: "ADA@example.com", 409,
      refusal("a user with this email exists")),
    signUp(
      "quotes and SQL in a name are a name", name: #"Robert'); DROP TABLE users;--"#,
      email: "robert@example.com", 201,
      #"{"email":"robert@example.com","id":<robert>,"name":"Robert'); DROP TABLE users;--"}"#),
    signUp(
      "passwords have to agree", name: "Eve", email: "eve@example.com", again: "another one", 400,
      refusal("password and verifyPassword differ")),
    signUp(
      "a password has eight characters", name: "Eve", email: "eve@example.com",
      password: "seven77", 400, refusal("password is shorter than 8 characters")),
    signUp(
      "and no more than 128", name: "Eve", email: "eve@example.com",
      password: String(repeating: "p", count: 129), 400,
      refusal("password is longer than 128 characters")),
    signUp(
      "an address has an @", name: "Eve", email: "eve.example.com", 400,
      refusal("email is no e-mail address")),
    signUp(
      "and no space", name: "Eve", email: "eve @example.com", 400,
      refusal("email is no e-mail address")),
    signUp(
      "a name has an end", name: String(repeating: "n", count: 101), email: "eve@example.com", 400,
      refusal("name is longer than 100 characters")),
    signUp(
      "a blank name is none", name: " ", email: "eve@example.com", 400,
      refusal("name is empty")),
    users(
      "a field is missing", #"{"name":"Eve","email":"eve@example.com"}"#, 400,
      refusal("password is missing")),
    users(
      "null is missing too", #"{"name":null}"#, 400, refusal("name is missing")),
    users("a number is no name", #"{"name":7}"#, 400, refusal("name is no text")),
    users("this is not JSON", #"{"name":"Eve","#, 400, refusal("the body is no JSON object")),
    users("this is no object", #"["Eve"]"#, 400, refusal("the body is no JSON object")),
    users("this is nothing", "", 400, refusal("the body is no JSON object")),
    users(
      "this is said to be a form", "name=Eve", type: "application/x-www-form-urlencoded", 415,
      refusal("the body has to be JSON")),
    users(
      "this is not said to be anything", "{}", type: nil, 415,
      refusal("the body has to be JSON")),
    users(
      "this is too much", #"{"name":""# + String(repeating: "n", count: 64 << 10) + #""}"#, 413,
      refusal("the body is larger than 64 KiB")),
  ]

  // MARK: Logging in

  private static let loggingIn = [
    logIn(
      "Ada logs in", email: "ada@example.com", 200,
      #"{"expiresIn":3600,"string":"<ada's token>"}"#),
    logIn(
      "in capitals too", email: "ADA@example.com", 200,
      #"{"expiresIn":3600,"string":"<another token>"}"#),
    logIn(
      "Bob logs in", email: "bob@example.com", 200,
      #"{"expiresIn":3600,"string":"<bob's token>"}"#),
    logIn(
      "a wrong password", email: "ada@example.com", password: "not Ada's", 401,
      refusal("wrong email or password")),
    logIn(
      "nobody, in the same words", email: "eve@example.com", 401,
      refusal("wrong email or password")),
    step(
      "no credentials", "POST", "/login", status: 401,
      refusal("log in with Basic credentials: email and password")),
    step(
      "credentials that cannot be read", "POST", "/login", .raw("Basic !"), status: 401,
      refusal("log in with Basic credentials: email and password")),
    logIn(
      "a shorter life", email: "ada@example.com", query: "?expiresIn=1", 200,
      #"{"expiresIn":1,"string":"<short token>"}"#),
    logIn(
      "no longer one than others get", email: "ada@example.com", query: "?expiresIn=9999999",
      200, #"{"expiresIn":3600,"string":"<long token>"}"#),
    logIn(
      "no life at all", email: "ada@example.com", query: "?expiresIn=0", 400,
      refusal("expiresIn is no number of seconds")),
    logIn(
      "a life of what?", email: "ada@example.com", query: "?expiresIn=soon", 400,
      refusal("expiresIn is no number of seconds")),
  ]

  // MARK: Todos

  private static let keepingTodos = [
    todos("there is nothing to do yet", "<ada's token>", "[]"),
    post("Ada has something to do", "<ada's token>", "Learn to swim", "<first>"),
    post("and more, with quotes", "<ada's token>", #"Say \"hello\"; DROP TABLE todos"#, "<second>"),
    post("so has Bob", "<bob's token>", "Buy bread", "<third>"),
    todos(
      "Ada sees hers", "<ada's token>",
      #"[{"id":<first>,"title":"Learn to swim"},"#
        + #"{"id":<second>,"title":"Say \"hello\"; DROP TABLE todos"}]"#),
    todos(
      "with any token of hers", "<another token>",
      #"[{"id":<first>,"title":"Learn to swim"},"#
        + #"{"id":<second>,"title":"Say \"hello\"; DROP TABLE todos"}]"#),
    todos("Bob sees his", "<bob's token>", #"[{"id":<third>,"title":"Buy bread"}]"#),
    delete(
      "Bob cannot delete what is Ada's", "<first>", "<bob's token>", 403,
      refusal("this todo is somebody else's")),
    delete("Ada can", "<first>", "<ada's token>", 200, #"{"id":<first>,"title":"Learn to swim"}"#),
    delete("once", "<first>", "<ada's token>", 404, refusal("there is no such todo")),
    delete(
      "there is no todo without a number", "all", "<ada's token>", 404,
      refusal("there is no such todo")),
    delete("nor with this one", "-1", "<ada's token>", 404, refusal("there is no such todo")),
    post("a number is not given again", "<ada's token>", "Learn to fly", "<fourth>"),
    todos(
      "what is left", "<ada's token>",
      #"[{"id":<second>,"title":"Say \"hello\"; DROP TABLE todos"},"#
        + #"{"id":<fourth>,"title":"Learn to fly"}]"#),
    step(
      "a todo has a title", "POST", "/todos", .bearer("<ada's token>"), json: "{}",
      status: 400, refusal("title is missing")),
    step(
      "that is not blank", "POST", "/todos", .bearer("<ada's token>"), json: #"{"title":" "}"#,
      status: 400, refusal("title is empty")),
    step(
      "nor cut short by a null character", "POST", "/todos", .bearer("<ada's token>"),
      json: #"{"title":"a\u0000b"}"#, status: 400, refusal("title holds a null character")),
    step(
      "nor endless", "POST", "/todos", .bearer("<ada's token>"),
      json: #"{"title":""# + String(repeating: "t", count: 201) + #""}"#,
      status: 400, refusal("title is longer than 200 characters")),
  ]

  // MARK: Tokens

  private static let tokens = [
    step(
      "todos take a token", "GET", "/todos", status: 401,
      refusal("this takes a token: log in first")),
    step(
      "a password is none", "GET", "/todos", .basic("ada@example.com", password), status: 401,
      refusal("this takes a token: log in first")),
    step(
      "nobody has made this one", "GET", "/todos", .bearer("guessed"), status: 401,
      refusal("the token is not known")),
    step(
      "nobody posts without one", "POST", "/todos", json: #"{"title":"Nothing"}"#, status: 401,
      refusal("this takes a token: log in first")),
    step(
      "nor deletes", "DELETE", "/todos/1", status: 401,
      refusal("this takes a token: log in first")),
    step(
      "the short one expires", "GET", "/todos", .bearer("<short token>"), status: 401,
      refusal("the token has expired"), isRepeated: true),
  ]

  // MARK: What is no request of this API

  private static let requestsThatAreNone = [
    step(
      "there is nothing here", "GET", "/nowhere", status: 404,
      refusal("there is nothing at this path")),
    step(
      "nor so deep", "GET", "/todos/1/2", status: 404,
      refusal("there is nothing at this path")),
    step(
      "nor behind a slash", "DELETE", "/todos/", status: 404,
      refusal("there is nothing at this path")),
    step(
      "nobody lists users", "GET", "/users", status: 405, refusal("this path takes POST"),
      headers: ["Allow": "POST"]),
    step(
      "todos are not replaced", "PUT", "/todos", .bearer("<ada's token>"), json: "[]",
      status: 405, refusal("this path takes GET, POST"), headers: ["Allow": "GET, POST"]),
    step(
      "the server is out of order here", "POST", "/out-of-order/users", json: "{}", status: 500,
      refusal("the server is out of order")),
    step("and here", "GET", "/out-of-order", status: 500, refusal("the server is out of order")),
  ]
}

// MARK: How steps are made

extension TodoConversation {
  private static let password = "correct horse"

  private static func refusal(_ reason: String) -> String {
    #"{"error":true,"reason":"\#(reason)"}"#
  }

  private static func step(
    _ title: String, _ method: String, _ path: String, _ credentials: Credentials? = nil,
    json: String? = nil, status: Int, _ answer: String, headers: [String: String] = [:],
    isRepeated: Bool = false
  ) -> Step {
    Step(
      title: title, method: method, path: path, credentials: credentials,
      contentType: json.map { _ in "application/json" }, body: json ?? "", status: status,
      answer: answer, headers: headers, isRepeated: isRepeated)
  }

  private static func users(
    _ title: String, _ body: String, type: String? = "application/json", _ status: Int,
    _ answer: String
  ) -> Step {
    Step(
      title: title, method: "POST", path: "/users", credentials: nil, contentType: type, body: body,
      status: status, answer: answer, headers: [:], isRepeated: false)
  }

  private static func signUp(
    _ title: String, name: String, email: String, password: String = password,
    again: String? = nil, _ status: Int, _ answer: String
  ) -> Step {
    users(
      title,
      #"{"name":"\#(name)","email":"\#(email)","password":"\#(password)","#
        + #""verifyPassword":"\#(again ?? password)"}"#,
      type: "application/json; charset=utf-8", status, answer)
  }

  private static func logIn(
    _ title: String, email: String, password: String = password, query: String = "",
    _ status: Int, _ answer: String
  ) -> Step {
    step(title, "POST", "/login\(query)", .basic(email, password), status: status, answer)
  }

  private static func todos(_ title: String, _ token: String, _ answer: String) -> Step {
    step(title, "GET", "/todos", .bearer(token), status: 200, answer)
  }

  private static func post(_ title: String, _ token: String, _ todo: String, _ id: String) -> Step {
    step(
      title, "POST", "/todos", .bearer(token), json: #"{"title":"\#(todo)"}"#, status: 201,
      #"{"id":\#(id),"title":"\#(todo)"}"#)
  }

  private static func delete(
    _ title: String, _ id: String, _ token: String, _ status: Int, _ answer: String
  ) -> Step {
    step(title, "DELETE", "/todos/\(id)", .bearer(token), status: status, answer)
  }
}
