internal import Crypto
internal import MapModel
internal import Platform

/// Components whose file or index `verify` found damaged: the next change of the maps mends them.
///
/// An entry is about the generation in which the file was read, and about all older ones, which have the same file if
/// they have the same digest. Generations that are made later have another file, unless they were given this one.
package struct DamageNote: Equatable {
  /// What of a component is damaged.
  package enum Part: Equatable {
    /// Its file, and perhaps its index.
    case component
    /// Its index alone.
    case index

    var word: String { self == .component ? "component" : "index" }
  }

  private struct Entry: Equatable {
    var generation: UInt64
    let part: Part
    let name: ComponentName
    let digest: Digest

    func isAbout(_ component: InstalledComponent) -> Bool {
      name == component.name && digest == component.digest
    }
  }

  private var entries: [Entry] = []

  /// Nothing is damaged, as far as is known.
  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// What of `component` is damaged in `generation`; nil if nothing is known of it.
  package func part(_ component: InstalledComponent, in generation: UInt64) -> Part? {
    entries.first { $0.isAbout(component) && generation <= $0.generation }?.part
  }

  /// Notes a damaged component; false if the note is full.
  package mutating func add(
    _ component: InstalledComponent, _ part: Part, in generation: UInt64
  ) -> Bool {
    remove(component)
    guard entries.count < StoreLimits.damaged else { return false }
    entries.append(
      Entry(generation: generation, part: part, name: component.name, digest: component.digest))
    return true
  }

  /// Forgets a component that has been read and is whole.
  package mutating func remove(_ component: InstalledComponent) {
    entries.removeAll { $0.isAbout(component) }
  }

  /// `generation` is given the same damaged file.
  package mutating func extend(_ component: InstalledComponent, to generation: UInt64) {
    for index in entries.indices where entries[index].isAbout(component) {
      entries[index].generation = max(entries[index].generation, generation)
    }
  }

  /// Forgets what is about generations older than `oldest`, which do not exist any more.
  package mutating func removeEntries(before oldest: UInt64) {
    entries.removeAll { $0.generation < oldest }
  }
}

// The file `damage` (`docs/format/store.md`, Damage).

extension DamageNote {
  static var fileName: String { "damage" }
  static var firstLine: String { "tinyupdater-damage 1" }

  var text: String {
    var text = DamageNote.firstLine + "\n"
    for entry in entries {
      text +=
        "\(entry.part.word) \(entry.generation) \(entry.name.front) \(entry.digest.hex)\(entry.name.tail)\n"
    }
    return text
  }

  /// Of lines that are no entries nothing is known; at most as many are read as a note has.
  init(lines: [[String]]) {
    for words in lines.prefix(StoreLimits.damaged) {
      guard words.count >= 5, let generation = UInt64(ascii: words[1].utf8), generation < 1 << 60,
        let name = ComponentName(words[2], words[3], tail: words[5...]), let digest = Digest(hex: words[4]),
        words[0] == Part.component.word || words[0] == Part.index.word
      else { continue }
      let part: Part = words[0] == Part.index.word ? .index : .component
      entries.append(Entry(generation: generation, part: part, name: name, digest: digest))
    }
  }
}
