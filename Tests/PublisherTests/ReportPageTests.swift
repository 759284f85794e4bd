import Crypto
import MapModel
import TestSupport
import Testing

@testable import Publisher
@testable import Reporting

@Suite("Pages of a report")
struct ReportPageTests {
  /// What is between two texts, the first time.
  private static func part(_ page: String, _ start: String, _ end: String) throws -> String {
    let rest = try #require(page.split(separator: start, maxSplits: 1).last)
    return String(try #require(rest.split(separator: end, maxSplits: 1).first))
  }

  @Test("a page allows its own script and style alone, loads nothing, and has no empty slot")
  func policy() async throws {
    let scratch = try TestRepository()
    try Maps.write(to: scratch)
    try await scratch.release("1")
    _ = try await scratch.writeReport(to: "\(scratch.path)/report")
    let page = String(decoding: try scratch.served("../report/index.html"), as: UTF8.self)
    let policy = try Self.part(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"")
    let style = Array(try Self.part(page, "<style>", "</style>").utf8)
    let script = Array(try Self.part(page, "<script>", "</script>").utf8)
    #expect(
      policy
        == """
        default-src &#39;none&#39;; style-src \(try PolicySource.digest(of: style)); \
        script-src \(try PolicySource.digest(of: script)); base-uri &#39;none&#39;; form-action &#39;none&#39;
        """.replacingQuotes)
    #expect(script == ReportPage.script && style == ReportPage.style)
    for word in ["{{", "src=", "http://", "https://", "style=\"", "onclick", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test("names of packages with markup in them are text in the table, the map and everywhere else")
  func hostile() async throws {
    let scratch = try TestRepository()
    let name = "</script></noscript><script>hostile()</script><img src=x onerror='hostile()'>\""
    let escaped =
      "&lt;/script&gt;&lt;/noscript&gt;&lt;script&gt;hostile()&lt;/script&gt;&lt;img src=x onerror=&#39;hostile()&#39;&gt;&quot;"
    try scratch.write(
      "malta/map.xml",
      "<map><name>\(escaped)</name><bounds south=\"1\" west=\"1\" north=\"2\" east=\"2\"/></map>")
    try scratch.write("<i>&'x'/base.x", Maps.data(2))
    for release in 1...2 {
      try scratch.write("malta/base.x", Maps.data(UInt64(release)))
      try await scratch.release("<b>\(release)&\"")
    }
    _ = try await scratch.writeReport(to: "\(scratch.path)/report")
    for file in ["index.html", "release-1.html"] {
      let page = String(decoding: try scratch.served("../report/\(file)"), as: UTF8.self)
      #expect(page.contains(escaped) && !page.contains(name))
      for markup in ["<img", "<i>&", "<b>1&", "<b>2&", "hostile()</script>"] {
        #expect(!page.contains(markup))
      }
      #expect(page.contains("&lt;b&gt;1&amp;&quot;") && page.contains("&lt;i&gt;&amp;&#39;x&#39;"))
      #expect(page.split(separator: "<script>").count == 2)
    }
  }
}

extension String {
  /// In the digests apostrophes are escaped, too.
  fileprivate var replacingQuotes: String {
    split(separator: "'", omittingEmptySubsequences: false).joined(separator: "&#39;")
  }
}
