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
      ("the basics", "the basics"), ("client_key = /etc/key.pem", "client_key = /etc/key.pem"),
      ("API_KEY=a b", "API_KEY=(removed)"), ("curl -u bob:c", "curl -u (removed)"),
      ("run --api-key a", "run --api-key (removed)"), ("X-Api-Key:a", "X-Api-Key:(removed)"),
      ("--pwd=a", "--pwd=(removed)"), ("monkey: a", "monkey: a"),
    ])
  func filter(text: String, filtered: String) {
    #expect(SecretFilter.filter(text) == filtered)
  }

  @Test("of the commands of a configuration, only the program is left")
  func settings() {
    let text = """
      # a comment
      root = /var/lib/tinyupdater
      health_command = /usr/bin/check --url https://a.example/ x=y
      index_command=/usr/bin/index
      repository = https://u:p@a.example/b

      """
    let filtered = """
      # a comment
      root = /var/lib/tinyupdater
      health_command = /usr/bin/check (removed)
      index_command= /usr/bin/index
      repository = https://a.example/b

      """
    #expect(SecretFilter.filter(settings: text) == filtered)
  }
}
