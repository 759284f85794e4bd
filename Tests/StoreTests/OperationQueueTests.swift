import MapModel
import Platform
import Synchronization
import TestSupport
import Testing

import class Dispatch.DispatchSemaphore
import class Foundation.FileManager
import class Foundation.Thread

@testable import Store

@Suite("The queue on disk")
struct QueueTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("queue") }

  private func queue() throws -> OperationQueue { try OperationQueue(making: scratch.path) }

  private let install = Operation.install(["europe/malta", "asia"])
  private let update = Operation.update()

  @Test("operations come back as they were asked for, in their order, with rising numbers")
  func order() throws {
    let queue = try queue()
    #expect(try queue.add(update) == 1)
    #expect(try queue.add(install) == 2)
    #expect(
      try queue.operations() == [
        QueuedOperation(number: 1, operation: update), QueuedOperation(number: 2, operation: install),
      ])
    #expect(install.isManual && !update.isManual)
    let owed = Operation.install(install.ids, isOwed: true)
    #expect(owed.isOwed && !owed.isManual && Operation(owed.text) == owed && owed != install)
  }

  @Test("when an update switches is part of it, and of no other operation")
  func modes() throws {
    let name = try #require(ReleaseName("2024-06"))
    for mode in [UpdateMode.atOnce, .staged, .automatic] {
      for operation in [Operation.update(mode: mode), .update(of: ["a"], to: name, mode: mode)] {
        #expect(Operation(operation.text) == operation && operation.mode == mode)
      }
    }
    #expect(Operation.update(mode: .automatic) != update)
    for lines in [
      "install\nid a\nstaged", "apply\nstaged\nautomatic", "apply\nstaged\nstaged", "apply\nstaged x",
    ] {
      #expect(Operation("tinyupdater-operation 1\n\(lines)\nend\n") == nil, "\(lines)")
    }
  }

  @Test("an equal operation that waits already is the same one, unless it is being cancelled")
  func equal() throws {
    let queue = try queue()
    #expect(try queue.add(install) == 1)
    #expect(try queue.add(install) == 1)
    #expect(try queue.requestCancellation(of: 1, below: []))
    #expect(try queue.add(install) == 2)
  }

  @Test("ids are the same only if their bytes are")
  func bytes() throws {
    let queue = try queue()
    #expect(try queue.add(.install(["r\u{e9}union"])) == 1)
    #expect(try queue.add(.install(["re\u{301}union"])) == 2)
    #expect(try queue.add(.install(["re\u{301}union"])) == 2)
  }

  @Test("what is added to the queue is news once; what shows the active operation is none")
  func watched() throws {
    let queue = try queue()
    let number = try queue.add(install)
    var watch = QueueWatch(queue)
    func hasNews() -> Bool { watch.hasNews() }
    #expect(!hasNews())
    queue.show(ActiveOperation(number: number, process: 1))
    queue.showNothing()
    #expect(!hasNews())
    #expect(try queue.requestCancellation(of: number, below: []))
    #expect(hasNews() && !hasNews())
    _ = try self.queue().add(update)
    #expect(hasNews() && !hasNews())
  }

  @Test("a queue that the kernel cannot watch is assumed to have changed")
  func unwatched() throws {
    let queue = try queue()
    try FileManager.default.removeItem(atPath: scratch.path)
    var watch = QueueWatch(queue)
    let hasNews = watch.hasNews()
    #expect(hasNews)
  }

  @Test("a result is kept until it is read, and a new attempt forgets it")
  func result() throws {
    let queue = try queue()
    let number = try queue.add(install)
    let failure = OperationResult(exitCode: 20, sentence: "no connection")
    try queue.finish(number, as: failure, afterwards: .kept)
    #expect(try queue.result(number) == failure)
    #expect(try queue.contains(number))
    #expect(try queue.add(install) == number)
    #expect(try queue.result(number) == nil)
    try queue.finish(number, as: OperationResult(exitCode: 0, sentence: "done"))
    #expect(try queue.result(number)?.exitCode == 0)
    #expect(try queue.operations() == [])
    #expect(try queue.add(install) == number + 1)
  }

  @Test(
    "a complete file that is not a valid operation is removed with the next one that ends; an incomplete one stays a while"
  )
  func invalidFiles() throws {
    let queue = try queue()
    try scratch.write("queue/1", Array("tinyupdater-operation 1\ninstall\nid ../a\nend\n".utf8))
    try scratch.write("queue/2", Array("tinyupdater-operation 1\ninstall\nid a\n".utf8))
    #expect(try queue.operations() == [])
    let number = try queue.add(install)
    #expect(number == 3)
    try queue.finish(number, as: OperationResult(exitCode: 0, sentence: "done"))
    #expect(try scratch.names("queue") == ["2", "3.done", "worker"])
  }

  @Test("the cancellation of an old operation that waits outlives the results of later ones")
  func oldCancellation() throws {
    let queue = try queue()
    let old = try queue.add(update)
    #expect(try queue.requestCancellation(of: old, below: []))
    for _ in 0...StoreLimits.results {
      try queue.finish(try queue.add(install), as: OperationResult(exitCode: 0, sentence: "done"))
    }
    #expect(try queue.cancellation(of: old) == [])
  }

  @Test("an equal operation is another one when a different request came after it")
  func requests() throws {
    let queue = try queue()
    let uninstall = Operation.uninstall(install.ids)
    #expect(try queue.add(install) == 1)
    #expect(try queue.add(uninstall) == 2)
    #expect(try queue.add(install) == 3)
    #expect(try queue.add(install) == 3)
    // An update comes after all of them anyway.
    #expect(try queue.add(update) == 4)
    #expect(try queue.add(uninstall) == 5)
    #expect(try queue.add(update) == 4)
  }

  @Test("every operation is in the queue or has a result, also when another process finishes it")
  func race() throws {
    let (path, install) = (scratch.path, install)
    let isOver = Mutex(false)
    let finished = DispatchSemaphore(value: 0)
    // A thread of its own: tasks wait for a thread while other tests have them all.
    Thread.detachNewThread {
      do {
        let queue = try OperationQueue(making: path)
        while !isOver.withLock({ $0 }) {
          for operation in try queue.operations() {
            try queue.finish(operation.number, as: OperationResult(exitCode: 0, sentence: "done"))
          }
          Clock.sleep(milliseconds: 1)  // or the other one hardly ever gets its turn
        }
      } catch { Issue.record("\(error)") }
      finished.signal()
    }
    let queue = try queue()
    var lost = 0
    for _ in 0..<500 {
      let number = try queue.add(install)
      if try !queue.contains(number), try queue.result(number) == nil { lost += 1 }
    }
    isOver.withLock { $0 = true }
    finished.wait()
    #expect(lost == 0)
  }

  @Test("a file that is not an operation takes no place, and is removed in time")
  func garbage() throws {
    let queue = try queue()
    for number in 1...100 { try scratch.write("queue/\(number)", "torn") }
    try scratch.write("queue/0101", install.text)
    try scratch.write("queue/18446744073709551615", install.text)
    try scratch.makeDirectory("queue/3.done")
    try scratch.write("queue/3.done/file", "x")
    let number = try queue.add(install)
    #expect(try queue.operations() == [QueuedOperation(number: number, operation: install)])
    try queue.finish(number, as: OperationResult(exitCode: 0, sentence: "done"))
    #expect(try queue.result(number)?.exitCode == 0)
    #expect(try !scratch.names("queue").contains { $0 == "3" || $0 == "3.done" })
  }

  @Test("old results are removed, and numbers keep rising")
  func oldResults() throws {
    let queue = try queue()
    for number in 1...(UInt64(StoreLimits.results) + 5) {
      #expect(try queue.add(install) == number)
      try queue.finish(number, as: OperationResult(exitCode: 0, sentence: "done"))
    }
    #expect(try queue.result(1) == nil)
    #expect(try scratch.names("queue").count <= StoreLimits.results + 1)
  }

  @Test("a queue takes a fixed number of operations and no more")
  func full() throws {
    let queue = try queue()
    for index in 0..<StoreLimits.operations {
      _ = try queue.add(Operation.install(["package\(index)"]))
    }
    do throws(Failure) {
      _ = try queue.add(install)
      Issue.record("one operation too many was taken")
    } catch { #expect(error == .queueFull(path: "\(scratch.path)/queue")) }
  }

  @Test("a queue takes a fixed number of bytes and no more, in the memory of that many")
  func fullOfBytes() throws {
    let queue = try queue()
    let ids = (0..<StoreLimits.operationIDs).map {
      "\($0)/\(String(repeating: "x", count: 190))" as PackageID
    }
    let large = Operation.install(ids)
    let size = UInt64(large.text.utf8.count)
    let count = StoreLimits.operationFiles / size
    for index in 0..<count {
      _ = try queue.add(Operation.install(ids.dropLast() + ["\(index)"]))
    }
    do throws(Failure) {
      _ = try queue.add(large)
      Issue.record("one operation too many was taken")
    } catch { #expect(error == .queueFull(path: "\(scratch.path)/queue")) }
    // Nor are more read, if another program has written them.
    try scratch.write("queue/1000", large.text)
    #expect(try queue.operations().count == Int(count))
    // A small one still fits.
    #expect(try queue.add(install) == 1001)
  }

  @Test(
    "a stray file with a huge number uses no number up",
    arguments: ["1152921504606846975", "576460752303423487", "18446744073709551615"])
  func hugeNumber(name: String) throws {
    let queue = try queue()
    try scratch.write("queue/\(name)", "x")
    let first = try queue.add(install)
    #expect(try queue.add(update) > first)
    #expect(try queue.operations().map(\.operation) == [install, update])
    try queue.finish(first, as: OperationResult(exitCode: 0, sentence: "done"))
    #expect(try queue.result(first)?.exitCode == 0)
  }

  @Test("the cancellation of another operation is seen by its name")
  func otherCancellations() throws {
    let queue = try queue()
    let (first, second) = (try queue.add(install), try queue.add(update))
    #expect(try !queue.hasCancellations(except: nil))
    #expect(try queue.requestCancellation(of: second, below: []))
    #expect(try queue.hasCancellations(except: first) && !queue.hasCancellations(except: second))
  }

  @Test("cancellations add up; one of the whole swallows the others")
  func cancellation() throws {
    let queue = try queue()
    let number = try queue.add(install)
    #expect(try queue.cancellation(of: number) == nil)
    #expect(try queue.requestCancellation(of: number, below: ["asia"]))
    #expect(try queue.requestCancellation(of: number, below: ["europe/malta"]))
    #expect(try queue.cancellation(of: number) == ["asia", "europe/malta"])
    #expect(try queue.requestCancellation(of: number, below: []))
    #expect(try queue.cancellation(of: number) == [])
    let rest = Operation.install(["europe/malta"], except: ["europe/malta/gozo"])
    try queue.replace(number, with: rest)
    #expect(try queue.operation(number) == rest)
    #expect(try queue.cancellation(of: number) == nil)
  }

  @Test("one that has ended is not cancelled any more")
  func tooLate() throws {
    let queue = try queue()
    let number = try queue.add(install)
    try queue.finish(number, as: OperationResult(exitCode: 0, sentence: "done"))
    #expect(try !queue.requestCancellation(of: number, below: []))
    #expect(try queue.cancellation(of: number) == nil)
  }

  @Test("a result says whether a cancellation was still open when the operation ended")
  func openCancellation() throws {
    let queue = try queue()
    let done = OperationResult(exitCode: 0, sentence: "done")
    let (late, narrowed) = (try queue.add(install), try queue.add(update))
    for number in [late, narrowed] { #expect(try queue.requestCancellation(of: number, below: ["asia"])) }
    try queue.replace(narrowed, with: .install(["europe/malta"]))
    for number in [late, narrowed] { try queue.finish(number, as: done) }
    #expect(try queue.result(late)?.hasOpenCancellation == true)
    #expect(try queue.result(narrowed) == done)
  }

  @Test("an operation with more exceptions than its file takes is cancelled as a whole or not at all")
  func manyExceptions() throws {
    let queue = try queue()
    let except = (0..<StoreLimits.operationIDs).map { "asia/\($0)" as PackageID }
    let number = try queue.add(install)
    try queue.replace(
      number, with: Operation.install(install.ids, except: except))
    #expect(try queue.operation(number)?.except == except)
    do throws(Failure) {
      _ = try queue.requestCancellation(of: number, below: ["asia/more"])
      Issue.record("it was taken")
    } catch { #expect(error == .tooManyExceptions(operation: number)) }
    #expect(try queue.requestCancellation(of: number, below: []))
  }

  @Test("every prefix of an operation's file is passed over", arguments: [false, true])
  func prefixes(hasExceptions: Bool) throws {
    let queue = try queue()
    let request = Operation.uninstall(["a", "b/c"], except: hasExceptions ? ["b/c/d"] : [])
    let bytes = Array(request.text.utf8)
    for count in 0..<bytes.count {
      try scratch.write("queue/7", Array(bytes[..<count]))
      #expect(try queue.operations() == [], "\(count)")
    }
    try scratch.write("queue/7", bytes)
    #expect(try queue.operations().map(\.operation) == [request])
  }

  @Test(
    "a file that is not an operation is skipped",
    arguments: [
      "tinyupdater-operation 2\napply\nend\n", "tinyupdater-operation 1\nformat\nend\n",
      "tinyupdater-operation 1\ninstall\nid\nend\n", "tinyupdater-operation 1\ninstall\nname x\nend\n",
      "tinyupdater-operation 1\napply\nend\nmore\n",
    ])
  func strange(text: String) throws {
    let queue = try queue()
    try scratch.write("queue/3", text)
    #expect(try queue.operations() == [])
    #expect(try queue.add(update) == 4)
  }

  @Test("nothing of what was active stays, even if a power cut left both of its names on one file")
  func noLongerActive() throws {
    let queue = try queue()
    queue.show(ActiveOperation(number: 7, process: 42))
    let directory = try Directory(opening: "\(scratch.path)/queue")
    try directory.link("active", to: directory, as: "active.new")
    // The kernel renames nothing where both names are of one file.
    queue.show(ActiveOperation(number: 8, process: 42))
    queue.showNothing()
    #expect(try scratch.names("queue") == ["worker"])
  }

  @Test("what is active is shown while a process works, and only then")
  func active() throws {
    let queue = try queue()
    var active = ActiveOperation(number: 7, process: 42)
    active.done = 5
    active.total = 10
    active.components = [
      .init(ComponentName(id: "europe/malta", dataGroup: "base"), activity: .downloading),
      .init(ComponentName(id: "asia", dataGroup: "poi"), activity: .indexing),
    ]
    queue.show(active)
    #expect(try queue.active() == nil)
    do {
      let worker = try queue.beginWork()
      #expect(try OperationQueue(making: scratch.path).active() == active)
      try scratch.write("queue/active", "tinyupdater-active 1\noperation 7\n")
      #expect(try queue.active() == nil)
      _ = consume worker
    }
    #expect(try !queue.isWorkedOn())
  }
}
