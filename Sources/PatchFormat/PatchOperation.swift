/// What an operation of a block makes: one byte in the column of operations.
///
/// The low three bits are the code, the high five its parameter.
///
/// | code | parameter | operation |
/// | --: | --- | --- |
/// | 0 | 0 | `copyOld` |
/// | 1 | 0 | `copyNew` |
/// | 2 | unit - 1, plus 4 with differences | `copyOldReversed` |
/// | 3 | unit - 1, plus 4 with differences | `copyNewReversed` |
/// | 4, 5, 6 | 3 × decimals + stride - 1 | `numbers`; the code is the base |
/// | 7 | 0 | `resumeOld` |
package enum PatchOperation: Equatable, Sendable {
  /// Bytes of the old file, with differences.
  case copyOld
  /// Bytes of the new file that are written already, with differences.
  case copyNew
  /// Units of 1 to 4 64-bit numbers, from the last unit to the first: a line in reverse order.
  case copyOldReversed(unit: Int, hasDifferences: Bool = false)
  case copyNewReversed(unit: Int, hasDifferences: Bool = false)
  case numbers(NumberCoding)
  /// As `copyOld`, but coded relative to where the operation before the last one ended in the old file: after a copy from
  /// elsewhere it resumes where it was.
  case resumeOld

  /// The operation of a block without a column of operations.
  package static var implied: PatchOperation { .copyOld }

  /// Where an operation copies from; nil for numbers.
  package var source: CopySource? {
    switch self {
    case .copyOld, .copyOldReversed, .resumeOld: .old
    case .copyNew, .copyNewReversed: .new
    case .numbers: nil
    }
  }

  /// The bytes of one of the units that a `CopyRecord` counts: a byte, a unit of a reversed copy, or a number.
  package var unitSize: Int {
    switch self {
    case .copyOld, .copyNew, .resumeOld: 1
    case .copyOldReversed(let unit, _), .copyNewReversed(let unit, _): 8 * unit
    case .numbers: 8
    }
  }

  /// Whether differences are added to the copied bytes; the others equal their source.
  package var hasDifferences: Bool {
    switch self {
    case .copyOld, .copyNew, .resumeOld: true
    case .copyOldReversed(_, let hasDifferences), .copyNewReversed(_, let hasDifferences): hasDifferences
    case .numbers: false
    }
  }

  package var byte: UInt8 {
    switch self {
    case .copyOld: 0
    case .copyNew: 1
    case .copyOldReversed(let unit, let hasDifferences):
      2 | PatchOperation.reversal(unit: unit, hasDifferences: hasDifferences) << 3
    case .copyNewReversed(let unit, let hasDifferences):
      3 | PatchOperation.reversal(unit: unit, hasDifferences: hasDifferences) << 3
    case .resumeOld: 7
    case .numbers(let coding): coding.base.rawValue | UInt8(coding.decimals * 3 + coding.stride - 1) << 3
    }
  }

  /// Nil for a byte that the format does not define.
  package init?(_ byte: UInt8) {
    let parameter = Int(byte >> 3)
    switch byte & 7 {
    case 0 where parameter == 0: self = .copyOld
    case 1 where parameter == 0: self = .copyNew
    case 2 where parameter < 8:
      self = .copyOldReversed(unit: parameter % 4 + 1, hasDifferences: parameter >= 4)
    case 3 where parameter < 8:
      self = .copyNewReversed(unit: parameter % 4 + 1, hasDifferences: parameter >= 4)
    case 7 where parameter == 0: self = .resumeOld
    case let low:
      guard let base = NumberCoding.Base(rawValue: low), parameter < 30 else { return nil }
      self = .numbers(NumberCoding(decimals: parameter / 3, stride: parameter % 3 + 1, base: base))
    }
  }

  /// The parameter of a reversed copy.
  private static func reversal(unit: Int, hasDifferences: Bool) -> UInt8 {
    UInt8(unit - 1) + (hasDifferences ? 4 : 0)
  }
}
