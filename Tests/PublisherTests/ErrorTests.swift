import Codec
import Crypto
import DeltaApply
import DeltaCreate
import JSONReading
import MapModel
import Platform
import Reporting
import TestSupport
import Testing
import Trust

@testable import Catalog
@testable import Publisher
@testable import enum TinyPublish.ExitStatus

@Suite("Errors of the publisher")
struct ErrorTests {
  /// An error, the exit code of the command that fails with it, and the end of its sentence: what to do next.
  struct Row: Sendable, CustomTestStringConvertible {
    let error: PublisherError
    let status: ExitStatus
    let end: String
    var testDescription: String { error.sentence }

    init(_ error: PublisherError, _ status: ExitStatus, _ end: String) {
      self.error = error
      self.status = status
      self.end = end
    }
  }

  private static let name = ComponentName(id: "malta", dataGroup: "base")

  private static let files = [
    Row(.file(Failure(.noEntry, path: "p")), .storage, "Fix the cause and repeat the command."),
    Row(
      .file(Failure(.noSpace, path: "p")), .noSpace,
      "make room and repeat the command, which resumes where it stopped."),
    Row(.operand(.irreplaceable(path: "p", .pipe)), .storage, "Write to a file, and copy that there."),
    Row(.operand(.irreplaceable(path: "p", .directory)), .storage, "Name a file."),
    Row(.operand(.unreadable(path: "p", .device)), .storage, "Write its content to a file, and name that."),
    Row(.operand(.danglingLink(path: "p")), .storage, "Remove it, or name another file."),
    Row(.operand(.sameFile(path: "p", as: "q")), .usage, "Name another file for the output."),
    Row(.operand(.terminal), .usage, "Redirect it, or name a file."),
    Row(.operand(.standardOutput), .usage, "Name a file; ./- is one of that name."),
    Row(.payload(.notMade(path: "p", .hashing)), .storage, "Nothing was published; report this."),
    Row(.payload(.notApplied(path: "p", .hashing)), .storage, "Nothing was published; report this."),
    Row(.library(.hashing(path: "p")), .storage, "Check its installation."),
    Row(
      .library(.compression(path: "p", .outOfMemory)), .storage, "free some memory and repeat the command."),
    Row(.inspection(.damagedPatch(path: "p", .notAPatch)), .rejected, "Restore it from a copy."),
    Row(.inspection(.misnamed(path: "p")), .rejected, "Restore it from a copy."),
    Row(.inspection(.unknownFormat(path: "p")), .rejected, "Name one of these."),
    Row(.inspection(.noRoot(url: "u")), .usage, "and repeat the command."),
    Row(.inspection(.server("no memory")), .storage, "Fix the cause and repeat the command."),
    Row(.stopped, .storage, "Repeat the command."),
  ]

  private static let jobs = [
    Row(
      .job(.noIndex(path: "p")), .usage,
      "or let an engine set SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX."),
    Row(.job(.noSuchJob(3, path: "p", count: 3)), .usage, "Correct the index, such as --array=0-2."),
    Row(.job(.noSuchJob(3, path: "p", count: 0)), .usage, "Make the release."),
    Row(
      .job(.notAJob(path: "p", number: 1, .notALine)), .rejected,
      "Write the file again with \"tinypublish plan\"."),
    Row(
      .job(.notAJob(path: "p", number: 1, .json(.fraction))), .rejected,
      "Write the file again with \"tinypublish plan\"."),
    Row(
      .job(.notAJob(path: "p", number: 1, .member("x"))), .rejected,
      "Write the file again with \"tinypublish plan\"."),
    Row(
      .job(.notAJob(path: "p", number: 1, .format)), .rejected,
      "Write the file again with \"tinypublish plan\"."),
    Row(.job(.otherRecipe(path: "p")), .rejected, "Use the same program on all machines."),
    Row(.job(.notNext(release: 2, path: "p")), .busy, "write the jobs again with \"tinypublish plan\"."),
    Row(.job(.noComponent(path: "p")), .unusable, "write the jobs again with \"tinypublish plan\"."),
    Row(.job(.controlCharacter(path: "p")), .usage, "Use another path."),
  ]

  private static let input = [
    Row(
      .input(.rejected(.file(Failure(.noEntry, path: "p")))), .rejected,
      "Correct the file and repeat the command."),
    Row(.input(.noComponents(path: "p", links: 0)), .rejected, "Name another directory."),
    Row(.input(.noComponents(path: "p", links: 3)), .rejected, "Put the files themselves there."),
    Row(
      .input(.componentsGone(count: 2, allowed: 1, path: "p", lost: LostPackages())), .rejected,
      "Restore them, or repeat the command with --allow-removed 2."),
    Row(.input(.noDataGroup(path: "p")), .rejected, "Rename it."),
    Row(
      .input(.noDirectory(path: "p")), .rejected,
      "Set id=\"…\" there."),
    Row(.input(.noPackage(path: "p")), .rejected, "Rename the directory, or set id=\"…\" in a map.xml."),
    Row(.input(.nameNotUTF8(path: "p")), .rejected, "Rename it."),
    Row(.input(.controlCharacter(path: "p", codePoint: "U+001B")), .rejected, "Remove it."),
    Row(.input(.tooDeep(path: "p")), .rejected, "Move it up, or set id=\"…\" in a map.xml."),
    Row(.input(.sameComponent(name, first: "p", second: "q")), .rejected, "Remove one of them."),
    Row(.input(.nestedPackages(outer: "p", inner: "q")), .rejected, "Move one of them."),
    Row(.input(.sameRegion("r", first: "p", second: "q")), .rejected, "Remove one of them."),
    Row(.input(.descriptionTooLarge(path: "p", bytes: 9)), .rejected, "Simplify the polygons."),
    Row(.input(.changedWhileRead(path: "p")), .rejected, "Repeat the command when it is complete."),
    Row(.input(.disappeared(path: "p")), .rejected, "Repeat the command when the input is complete."),
    Row(
      .input(.unfinishedDatabase(path: "p", companion: .writeAheadLog)), .rejected,
      "run \"PRAGMA wal_checkpoint(TRUNCATE)\" on it, and repeat the command."),
    Row(
      .input(.unfinishedDatabase(path: "p", companion: .journal)), .rejected,
      "open it once with sqlite3 if that program was interrupted, and repeat the command."),
    Row(
      .input(.similarNames("a", "A", first: "p", second: "q")), .rejected,
      "Give both the same name, or names that differ."),
    Row(.input(.severalNames([.nameNotUTF8(path: "p")], more: 0)), .rejected, "Rename it."),
    Row(
      .input(.severalNames([.nameNotUTF8(path: "p")], more: 2)), .rejected,
      "2 more names cannot be published."),
    Row(.input(.archive(path: "p", .unknownFormat)), .rejected, "Name another one."),
    Row(
      .input(.archive(path: "p", .damaged(cause: "c"))), .rejected,
      "Pack or copy it again, and repeat the command."),
    Row(.input(.archive(path: "p", .encrypted(entry: "e"))), .rejected, "Pack it without a password."),
    Row(
      .input(.archive(path: "p", .name(entry: "e"))), .rejected,
      "Pack the directory again with \"tar -C DIR -cf FILE.tar .\"."),
    Row(.input(.archive(path: "p", .twice(entry: "e"))), .rejected, "Remove one of them."),
    Row(
      .input(.archive(path: "p", .hardLink(entry: "e", target: "t"))), .rejected,
      "Pack the directory again with \"tar --hard-dereference\"."),
    Row(
      .input(.archive(path: "p", .tooManyEntries)), .rejected,
      "Unpack it, and name the directory instead."),
    Row(
      .input(.archive(path: "p", .tooLarge(limit: 9))), .rejected,
      "If it is what it should be, unpack it and name the directory instead."),
    Row(.input(.catalogTooLarge(bytes: 9)), .rejected, "Split the maps into several repositories."),
    Row(.label(.invalid("a b")), .usage, "Choose another label."),
    Row(.label(.controlCharacter(codePoint: "U+001B")), .usage, "Choose another label."),
    Row(.label(.inUse("1", number: 1)), .usage, "Choose another one."),
    Row(.label(.unknown("1", path: "p")), .usage, "\"tinypublish status p\" lists its releases."),
  ]

  private static let keys = [
    Row(.keys(.unusable(path: "p", .badKey)), .unusable, "Restore it from a copy."),
    Row(.keys(.unusable(path: "p", .unsupported)), .unusable, "Make a new key."),
    Row(.keys(.unusable(path: "p", .weak(bits: 9))), .unusable, "Make a new key."),
    Row(.keys(.unusable(path: "p", .tooLarge(bits: 9))), .unusable, "Make a new key."),
    Row(.keys(.unusable(path: "p", .badExponent)), .unusable, "make a new key."),
    Row(.keys(.unusable(path: "p", .notEncrypted)), .unusable, "encrypt it with a passphrase."),
    Row(
      .keys(.unusable(path: "p", .wrongPassphrase)), .unusable,
      "Repeat the command with the right passphrase, or restore the key from a copy."),
    Row(.keys(.unusable(path: "p", .badPassphrase)), .unusable, "Choose another passphrase."),
    Row(
      .keys(.unusable(path: "p", .refused)), .unusable,
      "Free some memory, or check the installation of the library."),
    Row(.keys(.keyReadableByOthers(path: "p")), .unusable, "Make a new key, or \"chmod 600\" it."),
    Row(.keys(.passphraseReadableByOthers(path: "p")), .unusable, "\"chmod 600\" it."),
    Row(.keys(.misnamed(path: "p")), .unusable, "Restore it from a copy."),
    Row(.keys(.insideRepository(path: "p")), .usage, "Choose another directory with --keys."),
    Row(
      .keys(.noPassphrase), .unusable,
      "Name a file that holds it with --passphrase-file or TINYPUBLISH_PASSPHRASE_FILE."),
    Row(.keys(.passphrasesDiffer), .unusable, "repeat the command."),
    Row(.keys(.noKeys(role: "root", path: "p")), .unusable, "Name the directory of the keys with --keys."),
    Row(
      .keys(.signerFailed(id: "0123456789abcdef01", "exited with 1", said: "no card")), .unusable,
      "exit code 10 of the signer says that it has no such key."),
    Row(.keys(.wrongSignature(id: "0123456789abcdef01")), .unusable, "and repeat the command."),
    Row(.keys(.notAPublicKey(path: "p")), .rejected, "Name another file."),
    Row(.keyChange(.alreadyListed(role: "root", id: "ab")), .usage, "Add another key."),
    Row(.keyChange(.unknown(role: "root", "")), .usage, "\"tinypublish key add\" adds one."),
    Row(.keyChange(.unknown(role: "root", "ab")), .usage, "\"tinypublish key list\" shows them."),
    Row(.keyChange(.ambiguous(role: "root", "")), .usage, "\"tinypublish key list\" shows them."),
    Row(.keyChange(.ambiguous(role: "root", "ab")), .usage, "Give more digits."),
    Row(.keyChange(.idTooShort("ab")), .usage, "give at least eight digits of the key's id."),
    Row(
      .keyChange(.badThreshold(role: "root", threshold: 3, keys: 2)), .usage,
      "Add a key first, or choose another --threshold."),
    Row(
      .signatures(.tooFewKeys(role: "timestamp", found: 0, threshold: 1, path: "p")), .unusable,
      "If one is lost, \"tinypublish key rotate REPO timestamp\" puts a new one in its place."),
    Row(
      .keyChange(.publishesPending([])), .usage, "or repeat the command with --with-pending to publish both."),
    Row(.signatures(.nothingPending(path: "p")), .usage, "\"tinypublish verify p\" shows what devices see."),
    Row(
      .signatures(.notPending(path: "p")), .rejected, "Export the pending files again and have those signed."),
    Row(.signatures(.contentDiffers(path: "p")), .rejected, "export that file again and have it signed."),
    Row(
      .signatures(.notMetadata(.missing(file: "p"))), .rejected,
      "Restore the file from a copy, or export it again with \"tinypublish sign export\"."),
  ]

  private static let repository = [
    Row(.repository(.notARepository(path: "p")), .unusable, "Make one with \"tinypublish init p\"."),
    Row(.repository(.notEmpty(path: "p")), .unusable, "Choose a new or an empty directory."),
    Row(.repository(.busy(path: "p")), .busy, "Wait until it has finished."),
    Row(
      .repository(.releasesChanged(path: "p")), .busy, "repeat the command, which resumes where it stopped."),
    Row(
      .repository(.tooManyReleases(path: "p")), .unusable,
      "Withdraw old ones with \"tinypublish prune p --keep 100\"."),
    Row(
      .repository(.noSpace(path: "p", needed: 2, available: 1)), .noSpace, "make room and repeat the command."
    ),
    Row(
      .repository(.catalog(.packed(path: "p", .corrupt))), .unusable,
      "restore this file from a copy of the repository."),
    Row(
      .repository(.newerFormat(path: "p")), .unusable,
      "Use the version of tinypublish that made it, or a later one."),
    Row(.repository(.catalogNotReadBack(path: "p")), .storage, "check the disk, then report this."),
    Row(
      .repository(.notDurable(Failure(.input, path: "p"))), .storage,
      "then run \"tinypublish verify\"."),
    Row(.file(Failure(.outOfMemory, path: "p")), .memory, "Fix the cause and repeat the command."),
    Row(
      .repository(.metadata(.missing(file: "p"))), .unusable,
      "restore this file from a copy of the repository."),
    Row(.repository(.wrongDigest(path: "p")), .unusable, "restore this file from a copy."),
    Row(.repository(.noReleases(path: "p")), .unusable, "Make one with \"tinypublish release\"."),
    Row(.report(.notAReport(path: "p")), .usage, "Choose a new or an empty directory."),
    Row(.report(.busy(path: "p")), .busy, "Wait until it has finished."),
  ]

  @Test(
    "every error has its exit code, and a sentence that ends with what to do next",
    arguments: files + jobs + input + keys + repository)
  func table(row: Row) {
    #expect(ExitStatus(row.error) == row.status)
    #expect(row.error.sentence.hasSuffix(" \(row.end)"))
    #expect(row.error.sentence.count > row.end.count + 1)
  }
}
