import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Contact with the repository")
struct RepositoryContactTests {
  private let scratch: Scratch
  private static let now: Int64 = 1_719_835_200

  init() throws { scratch = try Scratch("contact") }

  private func note(_ time: Int64, after failure: Int64 = 0) throws {
    try RepositoryContact(time, after: failure).note(in: scratch.path)
  }

  private var noted: RepositoryContact? { RepositoryContact(in: scratch.path) }

  @Test("what was noted is read; where nothing was, there is none")
  func roundTrip() throws {
    #expect(noted == nil && RepositoryContact(in: "\(scratch.path)/nowhere") == nil)
    try note(Self.now, after: Self.now - 7)
    #expect(noted == RepositoryContact(Self.now, after: Self.now - 7))
    #expect(
      String(decoding: try scratch.read("contact"), as: UTF8.self)
        .hasPrefix("tinyupdater-contact 1\ncontact 1719835200 1719835193\nend "))
  }

  @Test(
    "it is written again after an hour, after a failure and when the clock was set back, and not before",
    arguments: [
      (now, 0, false), (now + 3599, 0, false), (now + 3600, 0, true), (now + 5, now + 2, true),
      (now - 1, 0, true),
    ] as [(Int64, Int64, Bool)])
  func wear(time: Int64, failure: Int64, isWritten: Bool) throws {
    try note(Self.now)
    try note(time, after: failure)
    #expect(noted?.time == (isWritten ? time : Self.now))
  }

  @Test("a file that is not as it was written is none, and the next contact replaces it")
  func damage() throws {
    try note(Self.now)
    let whole = try scratch.read("contact")
    for end in whole.indices {
      try scratch.write("contact", Array(whole[..<end]))
      #expect(noted == nil)
      var flipped = whole
      flipped[end] ^= 1
      try scratch.write("contact", flipped)
      #expect(noted == nil)
    }
    for line in ["contact 1", "contact -1 0", "contact 1 2 3", "contact 99999999999999999999 0", "x 1 0", ""]
    {
      try scratch.write("contact", SealedText.seal("tinyupdater-contact 1\n\(line)\n"))
      #expect(noted == nil, "\(line)")
    }
    try note(Self.now)
    #expect(noted?.time == Self.now)
  }
}
