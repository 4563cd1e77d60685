import ScenarioServer
try await ScenarioServer(host: "127.0.0.1", port: 0).run { print("port", $0) }
