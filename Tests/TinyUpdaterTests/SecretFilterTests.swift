import Testing

@testable import TinyUpdater

@Suite("Texts for support")
struct SecretFilterTests {
  @Test(
    "values of words for secrets go, and what is secret in URLs",
    arguments: [
      ("root = /var/lib/tinyupdater", "root = /var/lib/tinyupdater"),
      ("authorization = /etc/tinyupdater.secrets", "authorization = /etc/tinyupdater.secrets"),
      ("password = two words", "password = (removed)"), ("PROXY_PASSWORD=x", "PROXY_PASSWORD=(removed)"),
      ("Authorization: Bearer /abc", "Authorization: (removed)"),
      ("host bearer /abc", "host bearer (removed)"),
      (#"{"token":"a b","next":1}"#, #"{"token":"(removed)","next":1}"#),
      ("repository = https://u:p@a.example/b?c=d", "repository = https://a.example/b?…"),
      ("a\nsecret: b\nc\n", "a\nsecret: (removed)\nc\n"), ("", ""), ("token", "token"), ("token=", "token="),
      ("the basics", "the basics"),
    ])
  func filter(text: String, filtered: String) {
    #expect(SecretFilter.filter(text) == filtered)
  }
}
