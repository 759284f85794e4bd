import Platform
import Testing

@Suite("Texts without secrets")
struct RedactionTests {
  @Test(
    "a user, a password and a query of a URL go, and the rest of the text stays",
    arguments: [
      ("no URL, a@b and c?d", "no URL, a@b and c?d"),
      ("https://maps.example.com/a/b: 404", "https://maps.example.com/a/b: 404"),
      ("https://u:p@maps.example.com/a", "https://maps.example.com/a"),
      ("https://u:p@x@maps.example.com", "https://maps.example.com"),
      ("https://a.example/x?token=1&b=2: it failed", "https://a.example/x?… it failed"),
      ("\"https://a.example?t=1\" and http://b@c/d#e f", "\"https://a.example?…\" and http://c/d?… f"),
      ("https://a.example/p@th", "https://a.example/p@th"),
      ("https://", "https://"), ("://u@", "://"), ("", ""),
    ])
  func redaction(text: String, without: String) {
    #expect(text.withoutURLSecrets == without)
  }
}
