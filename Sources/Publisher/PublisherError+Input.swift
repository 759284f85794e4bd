internal import Catalog

/// Sentences about the input of a release.
extension PublisherError {
  var inputSentence: String {
    switch self {
    case .noComponents(let path, links: 0):
      "\(path) has no data files: REGION/…/PACKAGE/DATAGROUP.ext was expected."
    case .noComponents(let path, let links):
      """
      \(path) has no data files, and \(links) symbolic links or special files, which are not followed. Put the files \
      themselves there.
      """
    case .componentsGone(let count, let allowed, let path):
      """
      \(path) lacks \(count) of the previous release's components; --allow-removed permits \(allowed). Nothing was \
      published. Restore them, or repeat the command with --allow-removed \(count).
      """
    case .noDataGroup(let path):
      """
      \(path): what stands before the first dot must be a data group, such as "base" in "base.gpkg": 1 to 64 bytes \
      without blanks and backslashes. Rename it.
      """
    case .noPackage(let path):
      """
      \(path): no package can be called after its directory. An id has 1 to 200 bytes without blanks and \
      backslashes, and no part begins with a dot. Rename the directory, or say id="…" in a map.xml.
      """
    case .badName(let path): "\(path): the name is not UTF-8. Rename it."
    case .controlCharacter(let path, let codePoint):
      "\(path): a name holds the invisible character \(codePoint). Remove it."
    case .tooDeep(let path):
      "\(path) lies too deep: an id has at most eight parts, and directories are looked into 32 deep."
    case .sameComponent(let name, let first, let second):
      "\(first) and \(second) are both the data group \(name.dataGroup) of \(name.id). Remove one of them."
    case .nestedPackages(let outer, let inner):
      "\(inner) lies below the package of \(outer), and a package holds no other. Move one of them."
    case .sameRegion(let id, let first, let second):
      "\(first) and \(second) both describe the region \(id). Remove one of them."
    case .descriptionTooLarge(let path, let bytes):
      "\(path): its description would take \(bytes) bytes; \(Catalog.Limits.description) are allowed. Simplify the polygons."
    case .changedWhileRead(let path):
      "\(path) changed while it was read. Repeat the command when it is complete."
    case .disappeared(let path):
      "\(path) disappeared while the input was read. Repeat the command when the input is complete."
    default: ""
    }
  }
}
