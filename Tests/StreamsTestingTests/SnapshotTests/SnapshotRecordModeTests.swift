import StreamsTesting
import Testing

struct SnapshotRecordModeTests {
  @Test(arguments: [nil, "", "0", "false"], SnapshotRecordMode.allCases)
  func readsEachNameOutsideOfCI(ci: String?, mode: SnapshotRecordMode) throws {
    var environment = ["SNAPSHOT_RECORD": mode.rawValue]
    environment["CI"] = ci
    #expect(try SnapshotRecordMode(environment: environment) == mode)
  }

  @Test func checksByDefault() throws {
    #expect(try SnapshotRecordMode(environment: [:]) == .check)
    #expect(try SnapshotRecordMode(environment: ["SNAPSHOT_RECORD": "", "CI": "1"]) == .check)
    #expect(try SnapshotRecordMode(environment: ["SNAPSHOT_RECORD": "check", "CI": "1"]) == .check)
  }

  @Test(arguments: ["1", "true", "yes", "All", " all", "none"])
  func refusesOtherNames(name: String) {
    let error = SnapshotSetupError(
      "SNAPSHOT_RECORD is \"\(name)\"; it takes one of: check, missing, failed, all.")
    #expect(throws: error) { try SnapshotRecordMode(environment: ["SNAPSHOT_RECORD": name]) }
  }

  @Test(arguments: ["missing", "failed", "all"], ["1", "true", "yes", "no"])
  func refusesToRecordInCI(name: String, ci: String) {
    let error = SnapshotSetupError(
      "SNAPSHOT_RECORD is \"\(name)\" while CI is set; only check is allowed there.")
    #expect(throws: error) {
      try SnapshotRecordMode(environment: ["SNAPSHOT_RECORD": name, "CI": ci])
    }
  }
}
