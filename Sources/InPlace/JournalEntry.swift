internal import Catalog
internal import Crypto
package import MapModel
internal import Platform
package import Store

/// What an update in place makes of one component.
package struct JournalEntry: Equatable {
  package let change: Change
  package let name: ComponentName
  /// What is installed of it when the update begins; nil: nothing.
  package let old: InstalledComponent?
  /// What is installed of it when the update ends; nil: nothing.
  package let new: InstalledComponent?
  /// Bytes that making it takes at the worst moment, more than the old file alone, if that is consumed on the way.
  package let extra: UInt64
  /// What makes the new file; none if it is stored as a whole.
  package private(set) var steps: [PayloadStep] = []

  package enum Change: Equatable {
    /// The file stays.
    case keep
    /// A new file is made, and takes the place of the old one.
    case make
    /// The file goes.
    case remove
  }

  /// The file of `old` stays, and belongs to the new generation as `new`.
  package init(keeping old: InstalledComponent, as new: InstalledComponent) {
    (change, name, self.old, self.new, extra) = (.keep, new.name, old, new, 0)
  }

  package init(
    making new: InstalledComponent, by steps: [PayloadStep], insteadOf old: InstalledComponent?, extra: UInt64
  ) {
    (change, name, self.old, self.new, self.extra) = (.make, new.name, old, new, extra)
    self.steps = steps
  }

  package init(removing old: InstalledComponent) {
    (change, name, self.old, new, extra) = (.remove, old.name, old, nil, 0)
  }
}

extension JournalEntry {
  /// The step whose container has this URL.
  package func step(_ url: String?) -> PayloadStep? { steps.first { $0.container.url == url } }
}

// The lines of the journal (`docs/format/store.md`, In place).

extension JournalEntry {
  /// Each with its line feed.
  var lines: String {
    let (old, new) = (old?.word ?? "-", new?.word ?? "-")
    return steps.reduce("\(change.word) \(name.front) \(old) \(new) \(extra)\(name.tail)\n") { $0 + $1.line }
  }

  /// The entry that a line begins; nil if it begins none.
  init?(_ words: [String]) {
    guard words.count >= 6, let name = ComponentName(words[1], words[2], tail: words[6...]),
      let extra = UInt64(ascii: words[5].utf8)
    else { return nil }
    let (old, new) = (InstalledComponent(name, words[3]), InstalledComponent(name, words[4]))
    switch (words[0], old, new) {
    case ("keep", .some(let old), .some(let new)): self.init(keeping: old, as: new)
    case ("make", _, .some(let new)): self.init(making: new, by: [], insteadOf: old, extra: extra)
    case ("remove", .some(let old), .none): self.init(removing: old)
    default: return nil
    }
  }

  /// Takes a line after the first one; false if it is the first one of the next entry.
  mutating func take(_ words: [String]) -> Bool {
    guard change == .make, let step = PayloadStep(words, after: steps.last?.target, or: old) else {
      return false
    }
    steps.append(step)
    return true
  }
}

extension JournalEntry.Change {
  fileprivate var word: String {
    switch self {
    case .keep: "keep"
    case .make: "make"
    case .remove: "remove"
    }
  }
}

extension InstalledComponent {
  fileprivate var word: String { "\(release):\(size):\(digest.hex)" }

  fileprivate init?(_ name: ComponentName, _ word: String) {
    let parts = word.parts(separatedBy: ":")
    guard parts.count == 3, let release = UInt64(ascii: parts[0].utf8),
      let size = UInt64(ascii: parts[1].utf8), let digest = Digest(hex: parts[2])
    else { return nil }
    self.init(name, release: release, size: size, digest: digest)
  }
}

extension PayloadStep {
  fileprivate var line: String {
    let container = "\(container.url) \(container.size) \(container.head.hex) \(container.memory)"
    return "\(base == .nothing ? "pack" : "patch") \(container) \(target.size) \(target.digest.hex)\n"
  }

  /// - `before`: what the step before has made.
  /// - `old`: what a first step is applied to.
  fileprivate init?(_ words: [String], after before: Intermediate?, or old: InstalledComponent?) {
    guard words.count == 7, Identifier.isRelativePath(words[1]), let size = UInt64(ascii: words[2].utf8),
      let head = Digest(hex: words[3]), let memory = UInt64(ascii: words[4].utf8),
      let targetSize = UInt64(ascii: words[5].utf8), let target = Digest(hex: words[6])
    else { return nil }
    switch (words[0], before, old) {
    case ("pack", .none, _): base = .nothing
    case ("patch", .some(let before), _): base = .made(before)
    case ("patch", .none, .some(let old)): base = .installed(old)
    default: return nil
    }
    container = Container(url: words[1], size: size, head: head, memory: memory)
    self.target = Intermediate(digest: target, size: targetSize)
  }
}
