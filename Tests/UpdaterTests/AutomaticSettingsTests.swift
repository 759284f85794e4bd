import MapModel
import Platform
import TestSupport
import Testing

@testable import Updater

/// When automatic updates may be at work.
@Suite("Automatic updates")
struct AutomaticSettingsTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("automatic") }

  @Test("a window of the day has its first minute and not its last, over midnight too")
  func windows() throws {
    let night = try #require(DayWindow("22:30-05:00"))
    for (minute, isIn) in [(1349, false), (1350, true), (1439, true), (0, true), (299, true), (300, false)] {
      #expect(night.contains(minute) == isIn, "\(minute)")
    }
    let day = try #require(DayWindow("01:00-24:00"))
    #expect(!day.contains(59) && day.contains(60) && day.contains(1439))
    #expect(night.text == "22:30-05:00" && day.text == "01:00-24:00")
  }

  @Test(
    "a text that is not a window is refused",
    arguments: [
      "", "01:00", "01:00-01:00", "1:00-02:00", "24:00-25:00", "24:00-01:00", "01:60-02:00",
      "01:00-02:00-03:00", "01-02",
    ])
  func noWindows(text: String) { #expect(DayWindow(text) == nil) }

  @Test("files that are there or missing keep automatic updates waiting, and no others")
  func files() throws {
    var configuration = Configuration()
    let (driving, parked) = ("\(scratch.path)/driving", "\(scratch.path)/parked")
    #expect(configuration.set("inhibit", to: "\(scratch.path)/other  \(driving)") == nil)
    #expect(configuration.set("require", to: parked) == nil)
    let automatic = configuration.automatic
    #expect(automatic.obstacle(to: .update(mode: .automatic)) == .without(parked))
    try scratch.write("parked", "")
    #expect(automatic.obstacle(to: .update(mode: .automatic)) == nil)
    try scratch.write("driving", "")
    #expect(automatic.obstacle(to: .update(mode: .automatic)) == .inhibited(by: driving))
    for operation in [Operation.update(), .update(mode: .staged), .install(["a"]), .repair()] {
      #expect(automatic.obstacle(to: operation) == nil)
    }
    for value in ["", "driving", "\(driving) parked"] {
      #expect(configuration.set("inhibit", to: value) != nil)
    }
    for value in ["", "always", "01:00-02:00 x"] { #expect(configuration.set("window", to: value) != nil) }
  }

  @Test("outside of all windows an automatic update waits")
  func outside() throws {
    let minute = Clock.minuteOfDay
    func text(_ minute: Int) -> String {
      let (hour, rest) = ((minute + 1440) % 1440 / 60, (minute + 1440) % 60)
      return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }
    var configuration = Configuration()
    #expect(configuration.set("window", to: "\(text(minute + 120))-\(text(minute + 180))") == nil)
    let obstacle = try #require(configuration.automatic.obstacle(to: .update(mode: .automatic)))
    #expect(obstacle == .outside(configuration.automatic.windows))
    #expect(obstacle.sentence.contains("window = \(text(minute + 120))-"))
    #expect(
      configuration.set(
        "window", to: "\(text(minute + 120))-\(text(minute + 180)) \(text(minute - 60))-\(text(minute + 60))")
        == nil)
    #expect(configuration.automatic.obstacle(to: .update(mode: .automatic)) == nil)
  }
}
