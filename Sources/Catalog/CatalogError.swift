package import Codec
package import Platform

/// Why a file of the publisher was refused.
///
/// Each case says which file, and where in it.
package indirect enum CatalogError: Error, Equatable {
  /// The file could not be read or written.
  case file(Failure)
  /// The compressed stream around the XML is bad.
  case packed(path: String, CodecError)
  /// The XML, or what it says, is bad.
  case malformed(path: String, line: Int, XMLFlaw)
  /// The file is a component whose frame is bad.
  case notAComponent(path: String, ComponentFlaw)

  /// What happened, to which file, where.
  package var sentence: String {
    switch self {
    case .file(let error): error.cause
    case .packed(let path, let flaw): "\(path) \(flaw.sentence)"
    case .malformed(let path, let line, let flaw): "\(path), line \(line): \(flaw.sentence)"
    case .notAComponent(let path, let flaw): "\(path) is not a .dat component: \(flaw.sentence)"
    }
  }
}
