import Testing

@testable import TinyUpdater

@Suite("Metrics")
struct PrometheusViewTests {
  @Test(
    "a label's value has its quotation marks, backslashes and line feeds escaped",
    arguments: [
      ("", #""""#), ("europe/malta", #""europe/malta""#), (#"a"b\c"#, #""a\"b\\c""#), ("a\nb", #""a\nb""#),
      ("größe", "\"größe\""),
    ])
  func quoting(value: String, quoted: String) {
    #expect(PrometheusView.quoted(value) == quoted)
  }
}
