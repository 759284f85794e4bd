import Platform
import TestSupport
import Testing
import Transport
import Trust

@testable import Updater

@Suite("Configuration")
struct ConfigurationTests {
  private let scratch: Scratch
  private var path: String { "\(scratch.path)/tinyupdater.conf" }

  init() throws { scratch = try Scratch("configuration") }

  private func read(_ text: String) throws -> Result<Configuration, ConfigurationError> {
    try scratch.write("tinyupdater.conf", text)
    do throws(ConfigurationError) { return .success(try Configuration.read(path)) } catch {
      return .failure(error)
    }
  }

  @Test("an empty file leaves the defaults", arguments: ["", "\n\n", "# comment\n  # another\n", " \t \r\n"])
  func defaults(text: String) throws {
    #expect(try read(text) == .success(Configuration()))
    let defaults = Configuration()
    #expect(defaults.root == "/var/lib/tinyupdater" && defaults.repository == nil)
    #expect(defaults.memoryBudget == 8 << 20 && defaults.spaceReserve == 4 << 20)
  }

  /// The settings of the example, without the `#` that disables them; `isExample`: it does not show the default.
  private static func documented() throws -> [(key: String, value: String, isExample: Bool)] {
    let file = try File(opening: "\(Checkout.root)/config/tinyupdater.conf").bytes(upTo: 1 << 20)
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    return zip(["" as Substring] + lines, lines).compactMap { before, line in
      line.wholeMatch(of: /#([a-z_]+) = (.+)/).map { (String($0.1), String($0.2), before == "# example:") }
    }
  }

  @Test("the example has every setting once, with its default, except where it says that it is an example")
  func example() throws {
    let documented = try Self.documented()
    #expect(documented.map { $0.key }.sorted() == Setting.allCases.map { $0.rawValue }.sorted())
    for line in documented where !line.isExample {
      var configuration = Configuration()
      #expect(configuration.set(line.key, to: line.value) == nil, "\(line)")
      #expect(configuration == Configuration(), "\(line)")
    }
    for line in documented where line.isExample {
      var configuration = Configuration()
      #expect(configuration.set(line.key, to: line.value) == nil, "\(line)")
      #expect(configuration != Configuration(), "\(line)")
    }
  }

  @Test("each setting is read, with any blanks around it")
  func settings() throws {
    var expected = Configuration()
    expected.root = "/maps of mine"
    expected.repository = "https://maps.example/r"
    expected.memoryBudget = 4 << 20
    expected.spaceReserve = 0
    expected.transport.certificateAuthorities = "/etc/ca=x.pem"
    expected.transport.authorization = "/etc/maps/secrets"
    expected.transport.proxy = "http://proxy:3128"
    expected.transport.rateLimit = 64 << 10
    expected.download.perRun = 5 << 20
    expected.download.perDay = 50 << 20
    expected.download.fallback = .never
    expected.spread = 3600
    expected.transport.retries = 0
    expected.transport.retryDelay = 60_000
    expected.transport.connectTimeout = 1
    expected.transport.stallTimeout = 3600
    expected.trustedRoot = "/etc/root.json"
    expected.expiry = .floor
    expected.log.destination = .file("/var/log/maps.log")
    expected.log.level = .debug
    expected.log.maximumSize = 1 << 20
    expected.index.command = "/usr/lib/maps/index it"
    expected.index.memory = 32 << 20
    expected.index.seconds = 60
    let text = """
      root = /maps of mine
      \t repository=https://maps.example/r/ \r
      memory_budget =4M
      space_reserve= 0
      certificate_authorities = /etc/ca=x.pem
      authorization = /etc/maps/secrets
      proxy = http://proxy:3128/
      rate_limit = 64K
      download_limit = 5M
      download_limit_day = 50M
      fallback = never
      spread = 3600
      retries = 0
      retry_delay = 60000
      connect_timeout = 1
      stall_timeout = 3600
      trusted_root = /etc/root.json
      expiry = floor
      log = /var/log/maps.log
      log_level = debug
      log_size = 1M
      index_command = /usr/lib/maps/index it
      index_memory = 32M
      index_time = 60
      """
    #expect(try read(text) == .success(expected))
    #expect(try read("retries = 1\nretries = 2\n").get().transport.retries == 2)
  }

  @Test(
    "a line that is wrong is named by its number and what is wrong",
    arguments: [
      ("colour = red", .unknownKey("colour")), ("expiry = never", .badValue(.expiry, "never")),
      ("trusted_root =", .badValue(.trustedRoot, "")), ("Root = /x", .unknownKey("Root")),
      ("= x", .unknownKey("")),
      ("root", .syntax), ("[maps]", .section("[maps]")), ("root =", .badValue(.root, "")),
      ("root = maps", .badValue(.root, "maps")),
      ("certificate_authorities =", .badValue(.certificateAuthorities, "")),
      ("client_key = device.key", .badValue(.clientKey, "device.key")),
      ("user_agent =", .badValue(.userAgent, "")),
      ("user_agent = a\u{1}b", .badValue(.userAgent, "a\u{1}b")),
      ("repository = maps.example", .badValue(.repository, "maps.example")),
      ("repository = ftp://x/", .badValue(.repository, "ftp://x/")),
      ("repository = https://", .badValue(.repository, "https://")),
      ("repository = https://a b", .badValue(.repository, "https://a b")),
      ("repository = https://a:b@h", .secret(key: "repository")),
      ("proxy = http://a:b@h:1", .secret(key: "proxy")),
      ("proxy = socks5://h:1", .badValue(.proxy, "socks5://h:1")),
      ("authorization = secrets", .badValue(.authorization, "secrets")),
      ("rate_limit = 1K", .badValue(.rateLimit, "1K")),
      ("download_limit = 100K", .badValue(.downloadLimit, "100K")),
      ("fallback = patch", .badValue(.fallback, "patch")),
      ("spread = 604801", .badValue(.spread, "604801")),
      ("log = maps.log", .badValue(.log, "maps.log")),
      ("log_level = loud", .badValue(.logLevel, "loud")),
      ("log_size = 1K", .badValue(.logSize, "1K")),
      ("index_command = index", .badValue(.indexCommand, "index")),
      ("index_memory = 3M", .badValue(.indexMemory, "3M")),
      ("index_time = 0", .badValue(.indexTime, "0")),
      ("index_time = 604801", .badValue(.indexTime, "604801")),
      ("memory_budget = 1M", .badValue(.memoryBudget, "1M")),
      ("memory_budget = lots", .badValue(.memoryBudget, "lots")),
      ("space_reserve = -1", .badValue(.spaceReserve, "-1")),
      ("retries = 1001", .badValue(.retries, "1001")),
      ("retries = 1.5", .badValue(.retries, "1.5")),
      ("retry_delay = 60001", .badValue(.retryDelay, "60001")),
      ("connect_timeout = 3601", .badValue(.connectTimeout, "3601")),
      ("stall_timeout = 99999999999999999999", .badValue(.stallTimeout, "99999999999999999999")),
    ] as [(String, ConfigurationFlaw)])
  func flaws(line: String, flaw: ConfigurationFlaw) throws {
    #expect(try read("# first\n\n\(line)\nretries = 1\n") == .failure(.line(path: path, line: 3, flaw)))
  }

  @Test(
    "a refused value is answered with what may be written, and that is taken", arguments: Setting.allCases)
  func forms(setting: Setting) throws {
    var configuration = Configuration()
    func takes(_ value: String) -> Bool { configuration.set(setting.rawValue, to: value) == nil }
    #expect(!takes(""))
    let flaw = configuration.set(setting.rawValue, to: "")
    #expect(flaw?.sentence == "\"\" is not a value for \(setting.rawValue): write \(setting.form)")
    if setting.form.wholeMatch(of: /[a-z-]+(, [a-z-]+)* or [a-z-]+/) != nil {
      for word in setting.form.replacing(" or ", with: ", ").split(separator: ", ") {
        #expect(takes(String(word)), "\(word)")
      }
    }
    if setting.form.hasPrefix("a whole number,") {
      #expect(takes("\(setting.numbers.lowerBound)") && takes("\(setting.numbers.upperBound)"))
      #expect(!takes("\(setting.numbers.lowerBound - 1)") && !takes("\(setting.numbers.upperBound + 1)"))
    }
    if setting.form.hasPrefix("bytes") {
      #expect(takes("\(setting.fewestBytes)") && takes("64M"))
      #expect(setting.fewestBytes == 0 || !takes("\(setting.fewestBytes - 1)"))
    }
    if setting.form.contains("path") && !setting.form.hasPrefix("a path") { #expect(takes("/a /b")) }
    if setting.form.contains(/begins? with \//) { #expect(!takes("a")) }
    if let example = setting.form.firstMatch(of: /such as ([0-9][^ ,]*)/) {
      #expect(takes(String(example.1)), "\(example.1)")
    }
    for scheme in setting.form.matches(of: /[a-z]+:\/\//) { #expect(takes("\(scheme.output)host:1")) }
  }

  @Test("several lines of repository are several servers, in their order, and at most eight")
  func mirrors() throws {
    let lines = (1...8).map { "repository = https://h\($0)/" }
    #expect(try read(lines.joined(separator: "\n")).get().mirrors == (1...8).map { "https://h\($0)" })
    let nine = (lines + ["repository = https://h9"]).joined(separator: "\n")
    #expect(try read(nine) == .failure(.line(path: path, line: 9, .tooManyMirrors(key: "repository"))))
  }

  @Test("a line longer than the limit is refused, not read as two")
  func longLine() throws {
    let long = "/\(String(repeating: "x", count: 2039))"
    #expect(try read("root = \(long)\n").get().root == long)
    let expected = ConfigurationError.line(path: path, line: 2, .tooLong)
    #expect(try read("\nroot = /\(String(repeating: "x", count: 5000))\nretries = 1\n") == .failure(expected))
  }

  @Test("the last line needs no line feed")
  func lastLine() throws { #expect(try read("retries = 7").get().transport.retries == 7) }

  @Test("a file that is not there, or cannot be read, is named")
  func file() throws {
    #expect(try !Configuration.exists(path))
    let missing = Result { () throws(ConfigurationError) in try Configuration.read(path) }
    #expect(missing == .failure(ConfigurationError.file(Failure(.noEntry, path: path))))
    try scratch.write("tinyupdater.conf", "")
    #expect(try Configuration.exists(path))
  }

  @Test(
    "a base URL loses its closing slashes",
    arguments: [
      ("http://h", "http://h"), ("http://h///", "http://h"), ("file:///srv/maps/", "file:///srv/maps"),
      ("HTTP://h", nil), ("http:/h", nil), ("", nil), ("http://\u{7f}", nil), ("http://h\n", nil),
    ] as [(String, String?)])
  func baseURL(text: String, expected: String?) {
    #expect(SettingValue(text, of: .repository).baseURL == expected)
  }
}
