package import Codec
package import PatchFormat
package import Platform

/// Why a patch was not applied.
package enum DeltaError: Error, Equatable {
  /// The file does not begin as a patch does.
  case notAPatch
  /// A field of the head is out of bounds or contradicts another.
  case badHead(PatchFormatError.HeadField)
  /// The head is not the one that was expected.
  case wrongHead
  /// The old file has another size than the patch was made from.
  case wrongOldFile(found: UInt64, expected: UInt64)
  /// More memory would be needed than may be used; nothing was allocated.
  case overMemory(needed: UInt64, allowed: UInt64)
  /// The patch ends in the middle.
  case truncated(at: UInt64)
  /// Bytes follow where the patch should end.
  case trailingBytes(at: UInt64)
  /// The frame that begins at this offset of the patch is not the one that was vouched for.
  case wrongFrame(at: UInt64)
  /// The header of the frame at this offset contradicts the head or its neighbours.
  case badFrame(at: UInt64)
  /// A section that ends before this offset of the new file ends where it should not, or not where it should.
  case badSection(at: UInt64)
  /// The instructions that make this offset of the new file are contradictory.
  case badBlock(at: UInt64)
  /// The instructions that make this offset of the new file read what is not in the old file, or not yet in the new one.
  case outsideSource(at: UInt64)
  /// The file that was made is not the one that the patch is for; `isOld`: because the old file is another one.
  case wrongResult(isOld: Bool)
  case codec(CodecError)
  case file(FileError)
  /// The cryptographic library refused.
  case hashing
  case cancelled

  package init(_ error: PatchFormatError) {
    switch error {
    case .notAPatch: self = .notAPatch
    case .badHead(let field): self = .badHead(field)
    case .truncated(let offset): self = .truncated(at: offset)
    }
  }

  /// What is wrong, to stand behind the patch's name.
  package var sentence: String {
    switch self {
    case .notAPatch: "is not a patch"
    case .badHead(let field): "has a damaged head: \(field.sentence)"
    case .wrongHead: "is another patch than the catalog lists"
    case .wrongOldFile(let found, let expected):
      "needs an old file of \(expected) bytes; the one here has \(found)"
    case .overMemory(let needed, let allowed): "needs \(needed) bytes of memory; \(allowed) are allowed"
    case .truncated(let offset): "ends in the middle, at byte \(offset)"
    case .trailingBytes(let offset): "goes on behind its end, at byte \(offset)"
    case .wrongFrame(let offset): "was changed: the frame at byte \(offset) has another digest"
    case .badFrame(let offset): "has a contradictory frame at byte \(offset)"
    case .badSection(let offset):
      "does not end the section before byte \(offset) of the new file in good order"
    case .badBlock(let offset): "has contradictory instructions for byte \(offset) of the new file"
    case .outsideSource(let offset): "reads what is not there for byte \(offset) of the new file"
    case .wrongResult(true): "was made from another old file than this one, of the same size"
    case .wrongResult(false): "made another file than it was made for: it is damaged"
    case .codec(let error): error.sentence
    case .file(let error): "could not be applied: \(error.sentence)"
    case .hashing: "could not be checked: the cryptographic library refused"
    case .cancelled: "was not applied to its end: cancelled"
    }
  }
}

extension PatchFormatError.HeadField {
  fileprivate var sentence: String {
    switch self {
    case .size: "its size"
    case .dictionary: "the dictionary"
    case .payload: "the largest payload"
    case .block: "the largest block"
    case .content: "the largest content of a stream"
    case .newFile: "the new file's size"
    case .oldFile: "the old file's size"
    }
  }
}
