package import MapModel
internal import Platform

/// What the process that holds the store does just now, as it shows other processes.
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
    package let name: ComponentName
    package let activity: Activity

    package init(_ name: ComponentName, activity: Activity) {
      self.name = name
      self.activity = activity
    }
  }

  package init(number: UInt64, process: Int32) {
    self.number = number
    self.process = process
  }
}

extension ActiveOperation {
  private static var format: String { "tinyupdater-active 1" }

  var text: String {
    var text = "\(ActiveOperation.format)\noperation \(number) \(process)\nprogress \(done) \(total)\n"
    for component in components {
      text += "component \(component.name.front) \(component.activity.word)\(component.name.tail)\n"
    }
    return text + "end\n"
  }

  init?(_ text: String) {
    guard let lines = SealedText.lines(ofEnded: text, format: ActiveOperation.format), lines.count >= 2,
      lines[0].count == 3, lines[0][0] == "operation", let number = UInt64(ascii: lines[0][1].utf8),
      let process = Int32(ascii: lines[0][2].utf8), lines[1].count == 3, lines[1][0] == "progress",
      let done = UInt64(ascii: lines[1][1].utf8), let total = UInt64(ascii: lines[1][2].utf8)
    else { return nil }
    self.init(number: number, process: process)
    self.done = done
    self.total = total
    for words in lines[2...] {
      guard words.count >= 4, words[0] == "component",
        let name = ComponentName(words[1], words[2], tail: words[4...]),
        let activity = Activity(word: words[3])
      else { return nil }
      components.append(Component(name, activity: activity))
    }
  }
}
