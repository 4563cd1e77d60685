import TestSupport
import Testing

/// Runs a program with a short time limit and, if the machine is too slow for that, with longer
/// ones.
///
/// A test of a time limit waits for it, so a short limit keeps the test fast. But on a busy
/// machine, a program may need longer than that only to start.
///
/// - Parameters:
///   - limits: The limits to try, in seconds.
///   - run: Runs the program with a limit. Returns the result, and whether the program has come as
///     far as the test needs before the limit.
/// - Returns: The first result of a run that has come so far, or else the last result.
func withTimeLimit<Result>(
  _ limits: [Int] = [1, 4, 16, 64, 256],
  _ run: (_ seconds: Int) async throws -> (result: Result, isFarEnough: Bool)
) async rethrows -> Result {
  for seconds in limits.dropLast() {
    let (result, isFarEnough) = try await run(seconds)
    if isFarEnough { return result }
  }
  return try await run(limits.last ?? 1).result
}

extension ExecutableResult {
  /// The same result with an N for the number of the time limit.
  func hidingLimit(_ seconds: Int) -> ExecutableResult {
    ExecutableResult(
      status: status, stdout: stdout,
      stderr: stderr.replacing("limit of \(seconds) s", with: "limit of N s"))
  }
}

struct TimeLimitsTests {
  @Test(arguments: [(1, 1), (2, 4), (4, 4), (5, 16), (100, 256), (1_000, 256)])
  func aRunThatIsNotFarEnoughGetsALongerLimit(needed: Int, limit: Int) async {
    let result = await withTimeLimit { (result: $0, isFarEnough: $0 >= needed) }
    #expect(result == limit)
  }
}
