internal import PatchFormat

/// The columns of the block that is being written.
struct BlockWriter {
  private var operations: [UInt8] = []
  private var copies: [UInt8] = []
  private var runs: [UInt8] = []
  private var differences: [UInt8] = []
  private var numbers: [UInt8] = []
  private var targets: [UInt8] = []
  private var literals: [UInt8] = []
  /// Literals since the last operation.
  private var literalCount = 0
  /// Equal bytes since the last run.
  private var equalCount = 0

  /// The bytes of all columns.
  var size: Int {
    operations.count + copies.count + runs.count + differences.count + numbers.count + targets.count
      + literals.count
  }

  /// The most bytes of one operation: in the column of operations, and of copies.
  static var largestOperation: Int { 1 + 3 * Varint.maximumSize }
  /// The most bytes of one `DifferenceRun`.
  static var largestRun: Int { 2 * Varint.maximumSize }

  /// Appends an operation, after the literals since the last one.
  ///
  /// - `delta`: nil for numbers.
  mutating func append(_ operation: PatchOperation, delta: Int64?, count: Int) {
    operations.append(operation.byte)
    CopyRecord(literalCount: UInt64(literalCount), delta: delta, count: UInt64(count)).append(to: &copies)
    literalCount = 0
  }

  mutating func append(literals bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    literals.append(contentsOf: bytes)
    literalCount += bytes.count
  }

  /// Counts bytes of a copy that equal their source.
  mutating func append(equal count: Int) { equalCount += count }

  /// Appends bytes of a copy, given as differences to their source, none of them 0.
  mutating func append(differences bytes: some Collection<UInt8>) {
    DifferenceRun(equal: UInt64(equalCount), different: UInt64(bytes.count)).append(to: &runs)
    equalCount = 0
    differences.append(contentsOf: bytes)
  }

  /// Appends an encoded number of the last operation.
  mutating func append(number: UInt64) { Varint.append(number, to: &numbers) }

  /// Appends a deflate stream.
  ///
  /// - `bytesBefore`: bytes since the beginning of the block or the end of the last stream.
  mutating func append(target bytes: [UInt8], bytesBefore: Int) {
    Varint.append(UInt64(bytesBefore), to: &targets)
    targets += bytes
  }

  /// The block without its size.
  func encoded() -> [UInt8] {
    BlockLayout.encode([operations, copies, runs, differences, numbers, targets, literals])
  }

  mutating func removeAll() {
    operations.removeAll(keepingCapacity: true)
    copies.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    differences.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
    literals.removeAll(keepingCapacity: true)
    literalCount = 0
    equalCount = 0
  }
}
