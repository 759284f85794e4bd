internal import Platform

/// What is wrong with the frame of a `.dat` file.
package enum ComponentFlaw: Equatable {
  case truncated
  case descriptionTooLarge(UInt64)
  case wrongSize(expected: UInt64, found: UInt64)

  package var sentence: String {
    switch self {
    case .truncated: "it is too short"
    case .descriptionTooLarge(let size): "its description claims \(ByteCount(size).text)"
    case .wrongSize(let expected, let found): "it should have \(expected) bytes and has \(found)"
    }
  }
}
