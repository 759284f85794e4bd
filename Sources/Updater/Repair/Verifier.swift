internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// Reads the components of a generation from storage, and notes in the store what is damaged and how far it came.
struct Verifier: ~Copyable {
  private let files: VerificationFiles
  private let events: ActivityPublisher
  private let heartbeat: Heartbeat
  /// What is known to be damaged.
  private(set) var damage: DamageNote
  private var canNote = true

  /// - `root`: the directory of the store.
  init(_ root: String, events: ActivityPublisher, heartbeat: Heartbeat) throws(Failure) {
    let files = try VerificationFiles(opening: root)
    damage = try files.damage()
    self.files = files
    self.events = events
    self.heartbeat = heartbeat
  }

  /// Verifies the components of `ids`, or of all packages if there are none.
  ///
  /// The verification of all packages resumes where an earlier one of the same generation stopped.
  ///
  /// - `limit`: ends it after the component with which that many bytes are read.
  /// - `body`: called with each component that is read.
  /// - Throws: `cancelled` if it is to stop; `notInstalled` for ids that match nothing.
  mutating func verify(
    _ generation: borrowing Generation, ids: [PackageID] = [], limit: UInt64 = .max,
    each body: (InstalledComponent, DamageNote.Part?) -> Void = { _, _ in }
  ) throws(Failure) -> VerificationReport {
    var matched = MatchedIDs(ids)
    var record = VerificationRecord(of: generation.number, at: Clock.now)
    if ids.isEmpty, let last = try files.record(), last.generation == generation.number,
      !last.isComplete
    {
      record = last
    }
    let start = record.position
    var report = VerificationReport(before: record.components)
    var (bytes, saved) = (0 as UInt64, 0 as UInt64)
    var manifest = try generation.manifest()
    while let component = try manifest.next() {
      guard ids.isEmpty || ids.includes(component.name.id) else { continue }
      matched.note(component.name.id)
      report.total += 1
      if start.map({ component.name <= $0 }) ?? false || bytes >= limit {
        if damage.part(component, in: generation.number) != nil { report.damaged += 1 }
        if bytes >= limit { report.isComplete = false }
        continue
      }
      let part: DamageNote.Part?
      do throws(Failure) { part = try damagedPart(of: component, in: generation) } catch {
        if ids.isEmpty { save(record) }
        throw error
      }
      note(component, part, in: generation.number)
      body(component, part)
      report.checked += 1
      if part != nil { report.damaged += 1 }
      bytes = bytes.saturatingSum(component.size).saturatingSum(component.index?.size ?? 0)
      (record.components, record.position, record.latest) = (record.components + 1, component.name, Clock.now)
      if ids.isEmpty && bytes - saved >= UpdateLimits.verificationInterval {
        save(record)
        saved = bytes
      }
    }
    guard matched.unmatched.isEmpty else { throw .notInstalled(matched.unmatched.map { $0.text }) }
    if report.isComplete { record.position = nil }
    if ids.isEmpty { write(record) }
    return report
  }

  /// The last verification has read all of the generation: what is noted is what it found.
  func hasVerified(_ generation: borrowing Generation) throws(Failure) -> Bool {
    let record = try files.record()
    return record?.generation == generation.number && record?.isComplete == true
  }

  private func damagedPart(
    of component: InstalledComponent, in generation: borrowing Generation
  ) throws(Failure) -> DamageNote.Part? {
    guard
      try generation.isIntact(component, readFrom: .storage, shouldStop: heartbeat.shouldStop)
    else { return .component }
    return try generation.isIndexIntact(component, readFrom: .storage, shouldStop: heartbeat.shouldStop)
      ? nil : .index
  }

  /// Notes what is damaged of a component, at once: whatever happens next, it is known.
  private mutating func note(
    _ component: InstalledComponent, _ part: DamageNote.Part?, in generation: UInt64
  ) {
    if let part { events.publish(.notice(.damaged(component.name, part))) }
    guard damage.part(component, in: generation) != part else { return }
    var hasRoom = true
    func change(_ note: inout DamageNote) {
      if let part { hasRoom = note.add(component, part, in: generation) } else { note.remove(component) }
    }
    change(&damage)
    if !hasRoom { return report(.moreDamaged) }
    do throws(Failure) {
      // Until this one ends, what is noted is not all.
      if part != nil { try files.forgetCompletion() }
      try files.changeDamage { change(&$0) }
    } catch {
      report(.notNoted(reason: error.cause))
    }
  }

  /// Writes how far it came, unless that is nowhere.
  private func save(_ record: VerificationRecord) {
    if record.position != nil { write(record) }
  }

  /// A store that is read-only, or belongs to another user, can be verified all the same.
  private func write(_ record: VerificationRecord) {
    do throws(Failure) { try files.write(record) } catch {}
  }

  /// Once is enough.
  private mutating func report(_ notice: Notice) {
    if canNote { events.publish(.notice(notice)) }
    canNote = false
  }
}
