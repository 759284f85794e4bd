package import PatchFormat

/// How far an update in place has come: what the lines say that were added to its journal.
package struct Progress: Equatable {
  /// The generation that it begins from, the one without what changes, and how many components are to be made; nil as long
  /// as nothing has begun.
  package private(set) var beginning: Beginning?
  /// Nothing else uses the old maps any more: from here on there is no way back.
  package private(set) var isTaken = false
  /// The component that is being made; nil between two.
  package private(set) var making: Making?
  /// How many are made or lost, in the order of the journal.
  package private(set) var settled = 0

  package struct Beginning: Equatable {
    package let base: UInt64
    package let remainder: UInt64
    package let count: Int

    package init(base: UInt64, remainder: UInt64, count: Int) {
      self.base = base
      self.remainder = remainder
      self.count = count
    }
  }

  /// Where making a component resumes.
  package struct Making: Equatable {
    package let method: Method
    /// The number of the container that is applied, from 0 on.
    package let step: Int
    /// Nil: at its first byte.
    package let checkpoint: Checkpoint?

    package init(_ method: Method, step: Int = 0, checkpoint: Checkpoint? = nil) {
      self.method = method
      self.step = step
      self.checkpoint = checkpoint
    }

    /// What is consumed is not there to begin again.
    fileprivate func follows(_ before: Making) -> Bool {
      before.method == .beside || method == .consuming && step >= before.step
    }
  }

  /// Where the new file of a component finds room.
  package enum Method: Equatable {
    /// Beside the old one, which goes when the new one is durable.
    case beside
    /// Where the old one was: what a checkpoint has no use for is given back.
    case consuming
  }

  /// A line of the journal.
  package indirect enum Step: Equatable {
    case begun(Beginning)
    case taken
    case making(Making)
    case made
    case lost
  }

  /// What is to be done next.
  package enum Action: Equatable {
    /// Nothing has been given up: everything is as it was before.
    case undo
    /// The component with this number is made.
    case make(Int)
    /// The new generation is built and becomes current.
    case commit
    /// The new generation is current: only what the update kept for itself is left.
    case end
  }

  package init() {}

  /// The next action, whatever has happened before.
  ///
  /// - `isCommitted`: the current generation is the one that the update leads to.
  package func next(isCommitted: Bool) -> Action {
    if isCommitted { return .end }
    guard let beginning, isTaken else { return .undo }
    return settled < beginning.count ? .make(settled) : .commit
  }

  /// Takes a line; false if it cannot follow those before.
  mutating func take(_ step: Step) -> Bool {
    switch step {
    case .begun(let beginning):
      guard self.beginning == nil else { return false }
      self.beginning = beginning
      return true
    case .taken:
      guard beginning != nil, !isTaken else { return false }
      isTaken = true
      return true
    case .making(let making):
      guard isMaking, self.making.map({ making.follows($0) }) ?? true else { return false }
      self.making = making
    case .made, .lost:
      guard isMaking else { return false }
      settled += 1
      making = nil
    }
    return true
  }

  private var isMaking: Bool { isTaken && settled < beginning?.count ?? 0 }
}
