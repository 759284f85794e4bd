import Testing

@testable import Catalog

@Suite("Language")
struct LanguageTests {
  private static let names = [
    LocalizedName(language: "fr", text: "Autriche"), LocalizedName(language: "", text: "Austria"),
    LocalizedName(language: "de", text: "Österreich"), LocalizedName(language: "de-AT", text: "Öst'reich"),
    LocalizedName(language: "zh-Hant", text: "奧地利"),
  ]

  @Test(
    "the closest name is taken, English where there is none",
    arguments: [
      ("de_AT.UTF-8", "Öst'reich"), ("de-AT", "Öst'reich"), ("DE_at", "Öst'reich"),
      ("de_DE.UTF-8@euro", "Österreich"),
      ("de", "Österreich"), ("de_AT@euro", "Öst'reich"), ("fr_CA", "Autriche"), ("en_GB.UTF-8", "Austria"),
      ("C", "Austria"), ("C.UTF-8", "Austria"), ("POSIX", "Austria"), ("it_IT.UTF-8", "Austria"),
      ("zh_Hant_TW", "奧地利"), ("zh", "Austria"), ("d", "Austria"),
    ])
  func closest(locale: String, expected: String) throws {
    #expect(try #require(Language(locale)).name(of: Self.names) == expected)
  }

  @Test("without an English name the first one is used")
  func first() throws {
    let names = [LocalizedName(language: "mt", text: "Għawdex"), LocalizedName(language: "it", text: "Gozo")]
    #expect(try #require(Language("de")).name(of: names) == "Għawdex")
    #expect(Language.english.name(of: []) == nil)
    let english = names + [LocalizedName(language: "EN", text: "Gozo (en)")]
    #expect(Language.english.name(of: english) == "Gozo (en)")
  }

  @Test(
    "what is not a language is refused",
    arguments: [
      "", "-", "_DE", ".UTF-8", "@euro", "de/AT", "d e", "français", "../../x",
      String(repeating: "a", count: 65),
    ])
  func none(text: String) { #expect(Language(text) == nil) }

  @Test("what the command line says is taken, or refused")
  func option() {
    #expect(Language.wanted("de_AT") == Language("de-at"))
    #expect(Language.wanted("?") == nil)
  }
}
