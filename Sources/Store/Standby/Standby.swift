package import MapModel
internal import MapReading
internal import Platform

/// A release that is ready beside the current one: what the file `standby` names (`docs/format/store.md`, Standby).
package struct Standby: Equatable {
  package let release: CatalogedRelease
  /// The generation that has it; nil if it is made of the current one in place: only what that takes is stored.
  package let generation: UInt64?
  /// The generation that was current when it was staged; on any other one it cannot follow as it is.
  package let base: UInt64
  /// When it was ready, in seconds since 1970, by a clock that may be wrong.
  package let time: Int64
  /// From when on it is in effect, in seconds since 1970, if it was not when it was staged.
  package internal(set) var effective: Int64?

  package init(
    _ release: CatalogedRelease, generation: UInt64?, base: UInt64, time: Int64, effective: Int64? = nil
  ) {
    self.release = release
    self.generation = generation
    self.base = base
    self.time = max(0, time)
    self.effective = effective
  }
}

// The file.
extension Standby {
  static var fileName: String { "standby" }
  private static var format: String { "tinyupdater-standby 1" }

  func bytes() throws(Failure) -> [UInt8] {
    let place = generation.map { "generation \($0)" } ?? "in-place"
    let time = "time \(time)\n" + (effective.map { "effective \($0)\n" } ?? "")
    return try SealedText.seal("\(Standby.format)\n\(release.lines)\(place)\nbase \(base)\n\(time)")
  }

  /// Nil if there is none, or one that is damaged or cannot be read: what is staged is then used by the next update.
  ///
  /// Memory or descriptors that are short say nothing of it.
  static func read(in root: borrowing Directory) throws(Failure) -> Standby? {
    do throws(Failure) { return try readable(in: root) } catch {
      if case .file(let cause) = error, !cause.errno.isOfShortage { return nil }
      throw error
    }
  }

  /// Nil if there is none, or a damaged one.
  static func readable(in root: borrowing Directory) throws(Failure) -> Standby? {
    try SealedText.readable(fileName, in: root, format: format, limit: StoreLimits.standbyFile)
      .flatMap { Standby($0) }
  }

  private init?(_ lines: [[String]]) {
    guard (5...6).contains(lines.count), let release = CatalogedRelease(lines),
      let base = Standby.value("base", lines[3]).flatMap({ GenerationNumber.of($0) }),
      let time = Standby.value("time", lines[4]).flatMap({ UInt64(ascii: $0.utf8) })
    else { return nil }
    let generation = Standby.value("generation", lines[2]).flatMap { GenerationNumber.of($0) }
    guard generation != nil || lines[2] == ["in-place"] else { return nil }
    var effective: Int64?
    if lines.count == 6 {
      guard let seconds = Standby.value("effective", lines[5]).flatMap({ UInt64(ascii: $0.utf8) }) else {
        return nil
      }
      effective = Int64(clamping: seconds)
    }
    self.init(
      release, generation: generation, base: base, time: Int64(clamping: time), effective: effective)
  }

  private static func value(_ name: String, _ words: [String]) -> String? {
    words.count == 2 && words[0] == name ? words[1] : nil
  }
}
