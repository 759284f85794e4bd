package import Platform
package import Reporting

/// Why a command of the publisher failed.
///
/// The repository serves what it served before, except after `RepositoryError.notDurable`: then it serves the change,
/// which a power loss may take back.
package enum PublisherError: Error, Equatable {
  /// A file could not be read or written.
  case file(Failure)
  /// A file that was named for reading or writing is not one for that.
  case operand(OperandError)
  /// The maps that were to be published.
  case input(InputError)
  /// The label of a release.
  case label(LabelError)
  /// The private keys, and the passphrase that they are encrypted with.
  case keys(KeyStoreError)
  /// A change of a role's keys.
  case keyChange(KeyChangeError)
  /// Signatures that are missing or do not fit.
  case signatures(SignatureError)
  /// The repository, as it is or as it would become.
  case repository(RepositoryError)
  /// A patch or packed component that was made or is to be reused.
  case payload(PayloadError)
  /// A file to be inspected.
  case inspection(InspectionError)
  /// A job of a plan that cannot be done.
  case job(JobError)
  /// A bundle that cannot be made.
  case bundle(BundleError)
  /// A copy of a repository.
  case push(PushError)
  /// A report that cannot be written.
  case report(ReportError)
  /// A library refused to work.
  case library(LibraryError)
  /// A signal asked to stop.
  case stopped
}

extension PublisherError {
  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .file(let error) where error.errno?.isOutOfSpace == true:
      "\(error.cause). Nothing was published; make room and repeat the command, which resumes where it stopped."
    case .file(let error): "\(error.cause). Fix the cause and repeat the command."
    case .operand(let error): error.sentence
    case .input(let error): error.sentence
    case .label(let error): error.sentence
    case .keys(let error): error.sentence
    case .keyChange(let error): error.sentence
    case .signatures(let error): error.sentence
    case .repository(let error): error.sentence
    case .payload(let error): error.sentence
    case .inspection(let error): error.sentence
    case .job(let error): error.sentence
    case .bundle(let error): error.sentence
    case .push(let error): error.sentence
    case .report(let error): error.sentence
    case .library(let error): error.sentence
    case .stopped: "Stopped by a signal. Repeat the command."
    }
  }
}

/// Runs `body` and wraps its error in that of this module.
func onFile<Result: ~Copyable>(_ body: () throws(Failure) -> Result) throws(PublisherError) -> Result {
  do throws(Failure) { return try body() } catch { throw .file(error) }
}

/// The same for the files that a command line names; a failed system call is reported as for any other file.
func onOperand<Result: ~Copyable>(
  _ body: () throws(OperandError) -> Result
) throws(PublisherError) -> Result {
  do throws(OperandError) { return try body() } catch { throw PublisherError(error) }
}

extension PublisherError {
  package init(_ error: ReportError) {
    if case .file(let error) = error { self = .file(error) } else { self = .report(error) }
  }

  package init(_ error: OperandError) {
    if case .file(let error) = error { self = .file(error) } else { self = .operand(error) }
  }
}
