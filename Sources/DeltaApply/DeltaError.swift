package import Codec
package import PatchFormat
package import Platform

/// Why a patch was not applied.
package indirect enum DeltaError: Error, Equatable {
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
  /// The patch is truncated.
  case truncated(at: UInt64)
  /// Bytes follow where the patch should end.
  case trailingBytes(at: UInt64)
  /// The frame at this offset of the patch does not have the expected digest.
  case wrongFrame(at: UInt64)
  /// The header of the frame at this offset contradicts the head or other frames.
  case badFrame(at: UInt64)
  /// The section before this offset of the new file ends at the wrong place.
  case badSection(at: UInt64)
  /// The instructions for this offset of the new file are contradictory.
  case badBlock(at: UInt64)
  /// The instructions for this offset of the new file copy from outside of the old file, or from what is not written yet.
  case outsideSource(at: UInt64)
  /// The new file is not the one that the patch was made for; `isOld`: because the old file is a different one.
  case wrongResult(isOld: Bool)
  case codec(CodecError)
  case file(Failure)
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

  /// The container's bytes are those that the publisher signed: what is wrong was wrong when it was made.
  package var isSigned: Bool {
    switch self {
    case .badHead, .wrongOldFile, .badFrame, .badSection, .badBlock, .outsideSource, .wrongResult,
      .codec(.corrupt):
      true
    case .notAPatch, .wrongHead, .overMemory, .truncated, .trailingBytes, .wrongFrame, .codec, .file,
      .hashing, .cancelled:
      false
    }
  }

  /// What is wrong, to follow the patch's name.
  package var sentence: String {
    switch self {
    case .notAPatch: "is not a patch"
    case .badHead(let field): "has a damaged head: \(field.sentence)"
    case .wrongHead: "is not the patch that the catalog lists"
    case .wrongOldFile(let found, let expected):
      "needs an old file of \(expected) bytes; the one here has \(found)"
    case .overMemory(let needed, let allowed):
      "needs \(ByteCount(needed).atLeast) of memory; \(ByteCount(allowed).text) are allowed"
    case .truncated(let offset): "is truncated at byte \(offset)"
    case .trailingBytes(let offset): "has trailing data at byte \(offset)"
    case .wrongFrame(let offset): "was changed: the frame at byte \(offset) has the wrong digest"
    case .badFrame(let offset): "has an invalid frame at byte \(offset)"
    case .badSection(let offset):
      "has a section that ends at the wrong place, before byte \(offset) of the new file"
    case .badBlock(let offset): "has contradictory instructions for byte \(offset) of the new file"
    case .outsideSource(let offset): "copies from outside of a file for byte \(offset) of the new file"
    case .wrongResult(true): "was made from a different old file of the same size"
    case .wrongResult(false): "does not make the file that it was made for: it is damaged"
    case .codec(let error): error.sentence
    case .file(let error): "could not be applied: \(error.cause)"
    case .hashing: "could not be checked: the cryptographic library refused"
    case .cancelled: "was not applied: cancelled"
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
