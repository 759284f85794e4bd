/// What the table says of a failure.
struct FailureRow {
  let disposition: Disposition
  let result: ResultCode
  /// The sentence, with `$1` for the first of the values, and so on.
  private let template: String
  private let values: [String]

  init(_ disposition: Disposition, _ result: ResultCode, _ template: String, _ values: String...) {
    self.disposition = disposition
    self.result = result
    self.template = template
    self.values = values
  }

  var sentence: String {
    var bytes: [UInt8] = []
    var isPlace = false
    for byte in template.utf8 {
      if byte == UInt8(ascii: "$") {
        isPlace = true
      } else if isPlace {
        bytes += values[Int(byte - UInt8(ascii: "1"))].utf8
        isPlace = false
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
