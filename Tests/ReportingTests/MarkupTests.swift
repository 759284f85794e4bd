import Testing

@testable import Reporting

@Suite("Markup of a report")
struct MarkupTests {
  @Test("an id goes on in the next line after a slash alone")
  func ids() {
    #expect(Markup(id: "a/b&c/") == "a/<wbr>b&amp;c/<wbr>")
    #expect(Markup(id: "<i>") == "&lt;i&gt;")
  }

  @Test(
    "text in markup stays text",
    arguments: [
      ("<b>", "&lt;b&gt;"), ("a & b", "a &amp; b"), ("\"' onload=", "&quot;&#39; onload="),
      ("&lt;", "&amp;lt;"),
      ("</script>", "&lt;/script&gt;"), ("\u{0}\u{7f}\u{85}\n", "????"), ("\u{202e}x\u{2066}", "?x?"),
      ("Ελλάδα 日本 עברית", "Ελλάδα 日本 עברית"), ("", ""),
    ])
  func escaping(text: String, expected: String) {
    #expect(
      ("<a title=\"\(text)\">\(text)</a>" as Markup).source == "<a title=\"\(expected)\">\(expected)</a>")
    let inner: Markup = "<i>\(text)</i>"
    #expect(("<p>\(inner)\(7)</p>" as Markup).source == "<p><i>\(expected)</i>7</p>")
  }

  @Test("slots are filled once, and what looks like one in a name is a name")
  func slots() {
    let template = PageTemplate(Array("{{a}}-{{b}}-{{c}} {x} {{".utf8))
    let page = template.filled(with: ["a": "{{b}}", "b": "2"])
    #expect(String(decoding: page, as: UTF8.self) == "{{b}}-2-{{c}} {x} {{")
  }

  @Test(
    "base64 is that of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("~~?", "fn4/"),
    ])
  func base64(text: String, encoded: String) { #expect(PolicySource.base64(Array(text.utf8)) == encoded) }
}
