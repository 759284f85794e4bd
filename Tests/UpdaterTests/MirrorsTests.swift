import Testing

@testable import Updater

@Suite("Mirrors")
struct MirrorsTests {
  /// Milliseconds, which only a test moves.
  private final class Time { var now: UInt64 = 0 }

  private func urls(_ mirrors: Mirrors) -> [String] { mirrors.candidates.map(\.url) }

  @Test("they are asked in their order, and the last one patiently")
  func order() {
    let mirrors = Mirrors(["a", "b", "c"])
    #expect(urls(mirrors) == ["a", "b", "c"])
    #expect(mirrors.candidates.map(\.isPatient) == [false, false, true])
    #expect(Mirrors(["a"]).candidates == [.init(url: "a", isPatient: true)])
    #expect(Mirrors([]).candidates.isEmpty && Mirrors([]).current == nil)
  }

  @Test("one that failed comes last for ten minutes, and the last of the others is patient")
  func passedOver() {
    let time = Time()
    var mirrors = Mirrors(["a", "b", "c"]) { time.now }
    mirrors.passOver("a")
    #expect(urls(mirrors) == ["b", "c", "a"])
    #expect(mirrors.candidates.map(\.isPatient) == [false, true, false])
    time.now += 599_999
    #expect(urls(mirrors) == ["b", "c", "a"])
    time.now += 1
    #expect(urls(mirrors) == ["a", "b", "c"])
  }

  @Test("if all have failed, all are asked, and the last one patiently")
  func allPassedOver() {
    var mirrors = Mirrors(["a", "b"]) { 5 }
    mirrors.passOver("a")
    mirrors.passOver("b")
    #expect(urls(mirrors) == ["a", "b"])
    #expect(mirrors.candidates.map(\.isPatient) == [false, true])
  }

  @Test("after wrong bytes another one is asked, as long as there is one")
  func wrong() {
    var mirrors = Mirrors(["a", "b"]) { 5 }
    mirrors.use("b")
    let hasOther = mirrors.leaveCurrent()
    #expect(hasOther && mirrors.current == "a")
    let hasThird = mirrors.leaveCurrent()
    #expect(!hasThird)
    var one = Mirrors(["a"])
    let hasSecond = one.leaveCurrent()
    #expect(!hasSecond)
  }

  @Test("a URL belongs to a file if any of them serves it so")
  func names() {
    let mirrors = Mirrors(["http://a", "http://b/x"])
    #expect(mirrors.has("http://b/x/payloads/1", as: "payloads/1"))
    #expect(
      !mirrors.has("http://c/payloads/1", as: "payloads/1") && !mirrors.has("http://a/payloads/1", as: "1"))
  }
}
