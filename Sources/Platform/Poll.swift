internal import CPlatform

/// Waits until one of several descriptors can be read or written (poll(2)).
package struct Poll {
  /// What is waited for.
  package struct Wish: Equatable {
    package var reading: Bool
    package var writing: Bool

    package init(reading: Bool = false, writing: Bool = false) {
      self.reading = reading
      self.writing = writing
    }
  }

  private var wishes: [pollfd] = []

  package init() {}

  /// Adds a descriptor, and returns its place; a wish for nothing still notices that the other end is gone.
  @discardableResult
  package mutating func add(_ raw: CInt, _ wish: Wish) -> Int {
    let events = (wish.reading ? POLLIN : 0) | (wish.writing ? POLLOUT : 0)
    wishes.append(pollfd(fd: raw, events: Int16(events), revents: 0))
    return wishes.count - 1
  }

  /// Returns after `milliseconds`, when something is ready, or when a signal arrives.
  package mutating func wait(milliseconds: CInt) {
    let count = wishes.withUnsafeMutableBufferPointer {
      CPlatform.poll($0.baseAddress, nfds_t($0.count), milliseconds)
    }
    guard count < 0 else { return }
    for index in wishes.indices { wishes[index].revents = 0 }
  }

  /// There is something to read at that place, or the end.
  package func canRead(_ place: Int) -> Bool { has(POLLIN | POLLHUP | POLLERR, place) }

  package func canWrite(_ place: Int) -> Bool { has(POLLOUT, place) }

  /// The other end is gone.
  package func isClosed(_ place: Int) -> Bool { has(POLLHUP | POLLERR | POLLNVAL, place) }

  private func has(_ events: CInt, _ place: Int) -> Bool { CInt(wishes[place].revents) & events != 0 }
}
