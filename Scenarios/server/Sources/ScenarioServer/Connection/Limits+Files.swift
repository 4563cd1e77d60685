import Foundation

extension Limits {
  /// Returns how many connections fit into the files that this process may open.
  ///
  /// Each connection is an open file for the system. Asks for more files if that's necessary and
  /// allowed.
  func connectionsThatFit() -> Int {
    // The database, the event loops, and the standard streams.
    let others = 64
    var files = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else {
      return connections
    }
    let needed = rlim_t(connections + others)
    if files.rlim_cur < needed {
      files.rlim_cur = min(needed, files.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }
    return max(1, min(connections, Int(clamping: files.rlim_cur) - others))
  }
}
