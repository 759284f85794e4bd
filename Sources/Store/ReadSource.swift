/// Where the bytes of a file are read from.
package enum ReadSource {
  /// The memory of the kernel, as far as that has them.
  case cache
  /// Storage, whatever the kernel has.
  case storage
}
