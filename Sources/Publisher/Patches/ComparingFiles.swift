internal import DeltaApply
internal import PatchFormat
internal import Platform

/// The files of a patch whose result is compared, byte by byte, with the file that it has to make; nothing is written.
///
/// Written bytes can be read back as from a file that was empty at first: zeros where nothing is written yet, and no
/// byte after the last written one.
final class ComparingFiles: PatchFiles {
  private let old: File?
  private let new: MappedFile
  private var written = WrittenExtents()

  /// - `old`: nil for a packed component.
  /// - `new`: the file that the patch has to make.
  init(old: consuming File?, new: consuming MappedFile) {
    self.old = old
    self.new = new
  }

  /// Every byte was made.
  var isComplete: Bool { written.isComplete(UInt64(new.bytes.count)) }

  func readOld(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    switch old {
    case .some(let file):
      do throws(Failure) { return try file.read(into: &buffer, at: offset) } catch { throw .file(error) }
    case .none: return 0
    }
  }

  func readNew(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    guard offset < written.end else { return 0 }
    let range = offset..<min(written.end, offset + UInt64(buffer.byteCount))
    let (source, gaps) = (new.bytes, written.gaps(in: range))
    buffer.withUnsafeMutableBytes { (bytes) in
      bytes.copyBytes(from: source[Int(range.lowerBound)..<Int(range.upperBound)])
      for gap in gaps {
        let hole = Int(gap.lowerBound - offset)..<Int(gap.upperBound - offset)
        for index in hole { bytes[index] = 0 }
      }
    }
    return range.count
  }

  func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.byteCount))
    guard !overflow, end <= UInt64(new.bytes.count) else { throw .wrongResult(isOld: false) }
    let expected = new.bytes[Int(offset)..<Int(end)]
    guard bytes.withUnsafeBytes({ $0.elementsEqual(expected) }) else { throw .wrongResult(isOld: false) }
    written.insert(offset..<end)
  }

  func reached(_ point: Checkpoint) {}
}
