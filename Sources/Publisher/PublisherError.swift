package import Catalog
package import Codec
package import Crypto
package import DeltaApply
package import DeltaCreate
package import Platform
package import Trust

/// Why a release was not published.
///
/// Whatever the case, the repository serves what it served before.
package enum PublisherError: Error, Equatable {
  /// A file could not be read or written.
  case file(FileError)
  /// A file of the input says something that is not allowed.
  case input(CatalogError)
  /// A file of the repository is damaged.
  case damaged(CatalogError)
  /// A file of the repository is not the one that its name says.
  case wrongDigest(path: String)
  /// A catalog lists payloads of a format that this program does not know.
  case newerFormat(path: String)
  case notARepository(path: String)
  /// A directory with files in it was to become a repository.
  case notEmpty(path: String)
  /// Another process is publishing.
  case busy(path: String)
  /// Releases were added or withdrawn while one was made.
  case releasesChanged(path: String)
  case tooManyReleases(path: String)

  /// A metadata file of the repository is damaged, or is not signed as it must be.
  case metadata(TrustError)
  /// A metadata file to look at, or to take signatures from, is not one.
  case notMetadata(TrustError)

  /// A private key cannot be read or used.
  case key(path: String, KeyError)
  /// A private key that others can read.
  case openKey(path: String)
  /// Others than its owner can read the file that holds the passphrase.
  case openPassphrase(path: String)
  /// A private key whose id is not that of its name.
  case misnamedKey(path: String)
  /// The keys would be served with the repository.
  case keysInside(path: String)
  /// Too few keys of a role are at hand, and nobody can sign later.
  case keysElsewhere(role: String, found: Int, threshold: Int, path: String)
  case noPassphrase
  case passphrasesDiffer
  /// No key of a role is at hand.
  case noKeys(role: String, path: String)
  case badPublicKey(path: String)
  case keyListed(role: String, id: String)
  case noSuchKey(role: String, String)
  case ambiguousKey(role: String, String)
  case shortKeyID(String)
  case badThreshold(role: String, threshold: Int, keys: Int)

  case nothingPending(path: String)
  /// A file that the repository does not wait for.
  case notPending(path: String)
  /// A file of the right name and another content.
  case otherContent(path: String)

  case badLabel(String)
  /// A label holds a character that steers a terminal; its code point.
  case controlInLabel(codePoint: String)
  case labelUsed(String, number: UInt64)
  case noSuchLabel(String, path: String)

  /// `links`: symbolic links and special files that were left aside.
  case noComponents(path: String, links: Int = 0)
  /// Components of the release before are not in the input.
  case componentsGone(count: Int, allowed: Int, path: String)
  /// A data file whose name gives no data group.
  case noDataGroup(path: String)
  /// A data file whose directory gives no id.
  case noPackage(path: String)
  case badName(path: String)
  /// A name or text in the input holds a character that steers a terminal.
  case controlCharacter(path: String, codePoint: String)
  case tooDeep(path: String)
  case sameComponent(ComponentName, first: String, second: String)
  /// A package lies below another: only leaves can be installed.
  case nestedPackages(outer: String, inner: String)
  /// Two files describe one region.
  case sameRegion(String, first: String, second: String)
  case descriptionTooLarge(path: String, bytes: UInt64)
  case changedWhileRead(path: String)
  case disappeared(path: String)

  case noSpace(path: String, needed: UInt64, available: UInt64)
  case catalogTooLarge(bytes: UInt64)
  /// The catalog that was written does not read back as what was meant.
  case notReadBack(path: String)
  case codec(path: String, CodecError)
  /// No patch could be made to this component.
  case patchNotMade(path: String, DeltaCreateError)
  /// A patch does not do what it was made for.
  case patchNotApplied(path: String, DeltaError)
  /// The cryptographic library refused.
  case hashing(path: String)
  /// A patch to look at is not whole.
  case damagedPatch(path: String, DeltaError)
  /// A file to look at whose name has another digest.
  case misnamedFile(path: String)
  /// A file that is none of ours.
  case unknownFormat(path: String)
}

extension PublisherError {
  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .file(let error) where error.errno.isOutOfSpace:
      "\(error.sentence). Nothing was published; make room and repeat the command, which goes on where it stopped."
    case .file(let error): "\(error.sentence). Put it right and repeat the command."
    case .input(let error): "\(error.sentence). Correct the file and repeat the command."
    case .damaged(let error):
      "\(error.sentence). The repository is damaged; restore this file from a copy of the repository."
    case .wrongDigest(let path):
      "\(path) is not the file that its name says. The repository is damaged; restore this file from a copy."
    case .newerFormat(let path):
      "\(path) lists payloads of a newer format. Use the version of tinypublish that made it, or a later one."
    case .notARepository(let path):
      """
      \(path) is not a repository: it has no \(ServedMetadata.timestampPath). Make one with \
      "tinypublish init \(path)".
      """
    case .notEmpty(let path): "\(path) is not empty and not a repository. Choose a new or an empty directory."
    case .busy(let path): "Another process is publishing to \(path). Wait until it has finished."
    case .releasesChanged(let path):
      """
      The releases of \(path) were changed by another process. Nothing was published; repeat the command, which \
      resumes where it stopped.
      """
    case .tooManyReleases(let path):
      "\(path) has \(Catalog.Limits.releases) releases, which is all it can hold. Withdraw old ones with \"tinypublish prune \(path) --keep 100\"."
    case .metadata(let error):
      "\(error.sentence). The repository is damaged; restore this file from a copy of the repository."
    case .notMetadata(let error): "\(error.sentence)."
    case .key, .openKey, .openPassphrase, .misnamedKey, .keysInside, .keysElsewhere, .noPassphrase,
      .passphrasesDiffer,
      .noKeys,
      .badPublicKey:
      keySentence
    case .keyListed, .noSuchKey, .ambiguousKey, .shortKeyID, .badThreshold: keyListSentence
    case .nothingPending, .notPending, .otherContent: pendingSentence
    case .badLabel, .controlInLabel, .labelUsed, .noSuchLabel: labelSentence
    case .noComponents, .componentsGone, .noDataGroup, .noPackage, .badName, .controlCharacter, .tooDeep,
      .sameComponent, .nestedPackages, .sameRegion, .descriptionTooLarge, .changedWhileRead, .disappeared:
      inputSentence
    case .noSpace(let path, let needed, let available):
      """
      \(path) has \(ByteCount(available).text) of free space, and the release needs about \
      \(ByteCount(needed).text). Nothing was written; make room and repeat the command.
      """
    case .catalogTooLarge(let bytes):
      "The catalog would have \(bytes) bytes; \(Catalog.Limits.catalogFile) are allowed. Divide the maps among repositories."
    case .notReadBack(let path):
      "\(path) does not read back as it was written. Nothing was published; check the disk, then report this."
    case .codec(let path, let error): "\(path) \(error.sentence)."
    case .patchNotMade(let path, let error): "\(path) \(error.sentence). Nothing was published; report this."
    case .patchNotApplied(let path, let error):
      "\(path) \(error.sentence). Nothing was published; report this."
    case .damagedPatch(let path, let error): "\(path) \(error.sentence). Restore it from a copy."
    case .misnamedFile(let path): "\(path) is not the file that its name says. Restore it from a copy."
    case .hashing(let path): "The cryptographic library refused to hash \(path). Check its installation."
    case .unknownFormat(let path):
      "\(path) is neither a component, a catalog, signed metadata, a map.xml nor a patch."
    }
  }

  private var labelSentence: String {
    switch self {
    case .badLabel(let label):
      "\"\(label)\" is no label: 1 to 64 bytes without blanks or slashes that do not begin with a dot."
    case .controlInLabel(let codePoint):
      "The label holds the invisible character \(codePoint). Choose another label."
    case .labelUsed(let label, let number):
      "The label \(label) is taken by release \(number). Choose another one."
    case .noSuchLabel(let label, let path):
      "\(path) has no release \(label). \"tinypublish verify \(path)\" shows which it has."
    default: ""
    }
  }
}

/// Runs `body` with the error of this module.
func onFile<Result: ~Copyable>(_ body: () throws(FileError) -> Result) throws(PublisherError) -> Result {
  do throws(FileError) { return try body() } catch { throw .file(error) }
}
