internal import CJansson
internal import Platform

/// Why bytes are not JSON that metadata may consist of.
package enum JSONError: Error, Equatable {
  /// Not JSON (RFC 8259), not UTF-8, two members of the same name, a number beyond 64 bits, or something
  /// behind the end; where, in bytes, and jansson's words.
  case syntax(offset: Int, String)
  /// Canonical JSON has no fractions.
  case fraction
  /// More levels than `Limits.depth`.
  case tooDeep
  /// The tree would take more than `Limits.memory`.
  case outOfMemory

  package var sentence: String {
    switch self {
    case .syntax(let offset, let words): "it is not JSON (\(words), near byte \(offset))"
    case .fraction: "it has a number that is not whole"
    case .tooDeep: "it has more than \(Limits.depth) levels"
    case .outOfMemory: "it takes more than the \(Limits.memory >> 10) KiB that metadata may take in memory"
    }
  }
}

/// A parsed JSON text with everything that the publisher put into it, known to us or not.
///
/// Owns jansson's tree.
public struct JSONDocument: ~Copyable {
  private let tree: UnsafeMutablePointer<json_t>
  private let reserved: Int

  /// Parses all of `bytes`, which must be an object or an array.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    JSONMemory.install()
    // The caller holds these bytes, and verifying makes the canonical ones, which are no more.
    let reserved = bytes.count * 2
    guard JSONMemory.reserve(reserved) else { throw .outOfMemory }
    do throws(JSONError) { tree = try JSONDocument.parse(bytes) } catch {
      JSONMemory.unreserve(reserved)
      throw error
    }
    self.reserved = reserved
  }

  deinit {
    json_decref(tree)
    JSONMemory.unreserve(reserved)
  }

  /// The outermost value; it must not outlive the document.
  package var root: JSONValue { JSONValue(tree) }

  private static func parse(_ bytes: [UInt8]) throws(JSONError) -> UnsafeMutablePointer<json_t> {
    var error = json_error_t()
    let tree = bytes.withUnsafeBytes { bytes in
      json_loadb(bytes.baseAddress, bytes.count, Int(JSON_REJECT_DUPLICATES), &error)
    }
    guard let tree else {
      if tu_json_is_out_of_memory(&error) != 0 { throw .outOfMemory }
      throw .syntax(offset: Int(error.position), String(platformString: tu_json_error_text(&error)))
    }
    do throws(JSONError) { try JSONValue(tree).check() } catch {
      json_decref(tree)
      throw error
    }
    return tree
  }
}
