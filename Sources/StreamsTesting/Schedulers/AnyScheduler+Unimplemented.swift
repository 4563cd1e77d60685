import Streams
import StreamsExtras
import Testing
import VirtualTime

extension AnyScheduler {
  /// A scheduler that fails the test when it's used.
  ///
  /// Pass it to code that takes a scheduler, to show that the tested path doesn't need one. The
  /// failure names the line that made the scheduler, and comes once, because one use often leads to
  /// others.
  ///
  /// Its actions never run. Running them could loop forever, because time stands still, and would
  /// hide the failure behind effects that have no cause in the test.
  ///
  /// - Parameters:
  ///   - now: The moment that the scheduler shows. To ask for it counts as a use.
  ///   - fileID: The module and the file that the failure names.
  ///   - filePath: The path that the failure names.
  ///   - line: The line that the failure names.
  ///   - column: The column that the failure names.
  public static func unimplemented(
    now: SchedulerTimeType, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> Self {
    AnyScheduler(
      UnimplementedScheduler(
        now: now,
        madeAt: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)))
  }
}

extension AnyScheduler where SchedulerTimeType: VirtualTimeConvertible {
  /// A scheduler that fails the test when it's used, and shows the moment zero of a virtual clock.
  ///
  /// See ``AnyScheduler/unimplemented(now:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - fileID: The module and the file that the failure names.
  ///   - filePath: The path that the failure names.
  ///   - line: The line that the failure names.
  ///   - column: The column that the failure names.
  public static func unimplemented(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    unimplemented(
      now: SchedulerTimeType(virtualTime: .zero), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
