package import Platform

/// What a component waits for, or what is being done with it.
package enum Activity: Equatable {
  case waiting, downloading, indexing, applying

  package var word: String {
    switch self {
    case .waiting: "waiting"
    case .downloading: "downloading"
    case .indexing: "indexing"
    case .applying: "applying"
    }
  }

  init?(word: String) {
    switch word {
    case "waiting": self = .waiting
    case "downloading": self = .downloading
    case "indexing": self = .indexing
    case "applying": self = .applying
    default: return nil
    }
  }
}

/// What the process that holds the store does just now, for the eyes of other processes.
package struct ActiveOperation: Equatable {
  /// The operation's number in the queue.
  package var number: UInt64
  /// The process's number.
  package var process: Int32
  /// Bytes of the download that are there, and all of them; 0 before there is a plan.
  package var done: UInt64 = 0
  package var total: UInt64 = 0
  /// The components that are worked on: one that is fetched, one that is indexed.
  package var components: [Component] = []

  /// A component that is worked on.
  package struct Component: Equatable {
    package let id: String
    package let dataGroup: String
    package let activity: Activity

    package init(id: String, dataGroup: String, activity: Activity) {
      self.id = id
      self.dataGroup = dataGroup
      self.activity = activity
    }
  }

  package init(number: UInt64, process: Int32) {
    self.number = number
    self.process = process
  }
}

extension OperationQueue {
  /// Shows what is done just now.
  ///
  /// Not brought to the medium: it means nothing after power loss.
  package func show(_ active: ActiveOperation) {
    do throws(FileError) {
      let file = try directory.open("active.new", .replace)
      try file.write(active.text)
      try file.close()
      try directory.rename("active.new", to: "active")
    } catch {}
  }

  package func showNothing() {
    do throws(FileError) { try directory.remove("active") } catch {}
  }

  /// Nil if no process works.
  package func active() throws(StoreError) -> ActiveOperation? {
    guard try isWorkedOn() else { return nil }
    return try text("active", limit: 4096).flatMap { ActiveOperation($0) }
  }

  // MARK: - The worker

  /// Takes the lock that tells other processes that somebody works, for as long as the value lives.
  ///
  /// The caller holds the store, so that nobody else wants it for longer than a look.
  package func beginWork() throws(StoreError) -> Directory {
    try storing { () throws(FileError) in
      let worker = try directory.openDirectory("worker")
      for attempt in 1...50 {
        do throws(FileError) {
          try worker.lock(.exclusive)
          break
        } catch {
          guard error.errno == .wouldBlock, attempt < 50 else { throw error }
        }
        Clock.sleep(milliseconds: 20)
      }
      return worker
    }
  }

  /// A process works on the queue of the store at `root`.
  package static func isWorkedOn(in root: String) throws(StoreError) -> Bool {
    switch try open(root) {
    case .some(let queue): try queue.isWorkedOn()
    case .none: false
    }
  }

  /// A process works on the queue.
  package func isWorkedOn() throws(StoreError) -> Bool {
    do throws(FileError) { try directory.openDirectory("worker").lock(.shared) } catch {
      switch error.errno {
      case .wouldBlock: return true
      case .noEntry: return false
      default: throw .file(error)
      }
    }
    return false
  }
}

extension ActiveOperation {
  fileprivate var text: String {
    var text = "tinyupdater-active 1\noperation \(number) \(process)\nprogress \(done) \(total)\n"
    for component in components {
      text += "component \(component.id) \(component.dataGroup) \(component.activity.word)\n"
    }
    return text + "end\n"
  }

  fileprivate init?(_ text: String) {
    let lines = text.parts(separatedBy: "\n", limit: 16).map { $0.parts(separatedBy: " ", limit: 5) }
    guard lines.count >= 5, lines[0] == ["tinyupdater-active", "1"], lines[lines.count - 2] == ["end"],
      lines[1].count == 3, lines[1][0] == "operation", let number = UInt64(ascii: lines[1][1].utf8),
      let process = Int32(ascii: lines[1][2].utf8), lines[2].count == 3, lines[2][0] == "progress",
      let done = UInt64(ascii: lines[2][1].utf8), let total = UInt64(ascii: lines[2][2].utf8)
    else { return nil }
    self.init(number: number, process: process)
    self.done = done
    self.total = total
    for words in lines[3..<lines.count - 2] {
      guard words.count == 4, words[0] == "component", let activity = Activity(word: words[3]) else {
        return nil
      }
      components.append(Component(id: words[1], dataGroup: words[2], activity: activity))
    }
  }
}
