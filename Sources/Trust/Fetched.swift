/// What became of an attempt to fetch a metadata file.
package enum Fetched {
  case file([UInt8])
  /// The source reports that the file does not exist.
  case absent
  /// Anything else; the source keeps the reason.
  case failed
}
