internal import CPlatform

/// The process that runs this program.
package enum ThisProcess {
  /// Its number, as the kernel knows it.
  package static var number: Int32 { getpid() }
}
