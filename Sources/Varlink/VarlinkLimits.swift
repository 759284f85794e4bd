/// How much of a client is accepted: one place, each figure with its reason.
package enum VarlinkLimits {
  /// Bytes of a message to a service: ids of packages, and little else.
  package static var message: Int { 16 << 10 }
  /// Bytes of a reply from a service: as much of its output as it waits with, and a line more.
  package static var reply: Int { 1 << 20 }
  /// Bytes that wait for a client which does not read; a line of JSON may be some kilobytes.
  package static var waiting: Int { 256 << 10 }
}
