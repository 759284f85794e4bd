/// Bounds of the store's own files.
enum StoreLimits {
  /// Operations that wait at a time: a person's taps, with a great margin.
  static var operations: Int { 64 }
  /// Names in the queue's directory that are read: many times the number of operations and results.
  static var queueNames: Int { 4096 }
  /// Ids of one operation, and as many exceptions.
  static var operationIDs: Int { 256 }
  /// Bytes of a file in the queue: that many ids of 200 bytes, twice.
  static var operationFile: UInt64 { 128 << 10 }
  /// Bytes of all operations that wait at a time: in memory they take twice that, beside whatever is at work.
  static var operationFiles: UInt64 { 256 << 10 }
  /// Results that are kept for the processes that wait for them.
  static var results: Int { 32 }
  /// Bytes of the event log before a new one is started; the previous one is kept.
  static var events: UInt64 { 256 << 10 }
}
