package import DeltaApply

/// Why a file cannot be shown.
package enum InspectionError: Error, Equatable {
  /// A patch is damaged or incomplete.
  case damagedPatch(path: String, DeltaError)
  /// A file whose content does not have the digest in its name.
  case misnamed(path: String)
  /// A file of another program.
  case unknownFormat(path: String)
  /// A server is to be verified, and no root says whose.
  case noRoot(url: String)
  /// A server cannot be asked at all; why.
  case server(String)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .damagedPatch(let path, let error): "\(path) \(error.sentence). Restore it from a copy."
    case .misnamed(let path): "\(path) does not match the digest in its name. Restore it from a copy."
    case .noRoot(let url):
      """
      A server cannot say itself whether it can be trusted: add "--root FILE" with the root that devices have \
      for \(url), and repeat the command.
      """
    case .server(let text): "\(text). Fix the cause and repeat the command."
    case .unknownFormat(let path):
      "\(path) is neither a component, a catalog, signed metadata, a map.xml nor a patch. Name one of these."
    }
  }
}
