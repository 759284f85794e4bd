internal import PatchFormat

/// The columns of the block that is being written.
struct BlockWriter {
  private var columns = [7 of [UInt8]](repeating: [])
  /// Literals since the last operation.
  private var literalCount = 0
  /// Equal bytes since the last run.
  private var equalCount = 0

  /// The bytes of all columns.
  var size: Int {
    var size = 0
    for index in columns.indices { size += columns[index].count }
    return size
  }

  /// The most bytes of one operation: in the column of operations, and of copies.
  static var largestOperation: Int { 1 + 3 * Varint.maximumSize }
  /// The most bytes of one `DifferenceRun`.
  static var largestRun: Int { 2 * Varint.maximumSize }

  private subscript(column: BlockColumn) -> [UInt8] {
    get { columns[column.rawValue] }
    _modify { yield &columns[column.rawValue] }
  }

  /// Appends an operation, after the literals since the last one.
  ///
  /// - `delta`: nil for numbers.
  mutating func append(_ operation: PatchOperation, delta: Int64?, count: Int) {
    self[.operations].append(operation.byte)
    CopyRecord(literalCount: UInt64(literalCount), delta: delta, count: UInt64(count))
      .append(to: &self[.copies])
    literalCount = 0
  }

  mutating func append(literals bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    self[.literals].append(contentsOf: bytes)
    literalCount += bytes.count
  }

  /// Counts bytes of a copy that equal their source.
  mutating func append(equal count: Int) { equalCount += count }

  /// Appends bytes of a copy, given as differences to their source, none of them 0.
  mutating func append(differences bytes: some Collection<UInt8>) {
    DifferenceRun(equal: UInt64(equalCount), different: UInt64(bytes.count)).append(to: &self[.runs])
    equalCount = 0
    self[.differences].append(contentsOf: bytes)
  }

  /// Appends the next number of the last operation.
  mutating func append(number integer: Int64, stride: Int, after history: inout NumberHistory) {
    history.encode(integer, stride: stride, to: &self[.numbers])
  }

  /// Appends a deflate stream.
  ///
  /// - `gap`: bytes since the beginning of the block or the end of the last stream.
  mutating func append(target bytes: [UInt8], gap: Int) {
    DeflateTarget.append(gap: UInt64(gap), to: &self[.targets])
    self[.targets] += bytes
  }

  /// The block without its size.
  func encoded() -> [UInt8] { BlockLayout.encode(columns) }

  mutating func removeAll() {
    for index in columns.indices { columns[index].removeAll(keepingCapacity: true) }
    literalCount = 0
    equalCount = 0
  }
}
