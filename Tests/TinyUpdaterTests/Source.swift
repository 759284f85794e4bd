import Foundation
import TestSupport

/// A text file of the checkout.
struct Source {
  /// Relative to the checkout.
  let path: String
  let lines: [String]

  init(_ path: String) throws {
    self.path = path
    let text = try String(contentsOfFile: "\(Checkout.root)/\(path)", encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The Swift files of some folders of `Sources`, by their paths.
  static func all(in folders: [String]) throws -> [Source] {
    try folders.flatMap { folder in
      try names(in: "Sources/\(folder)").filter { $0.hasSuffix(".swift") }.map {
        try Source("Sources/\(folder)/\($0)")
      }
    }
  }

  /// The paths of all files below a folder of the checkout, relative to it.
  static func names(in folder: String) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.root)/\(folder)")
    var isFolder: ObjCBool = false
    return paths.sorted().filter {
      FileManager.default.fileExists(atPath: "\(Checkout.root)/\(folder)/\($0)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  /// What the group of an expression matches, line by line.
  func matches(of expression: Regex<(Substring, Substring)>) -> [String] {
    lines.flatMap { line in line.matches(of: expression).map { String($0.1) } }
  }
}
