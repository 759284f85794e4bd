/// A name in one language.
package struct LocalizedName: Equatable {
  /// Such as "fr"; empty for English.
  package let language: String
  package let text: String

  package init(language: String, text: String) {
    self.language = language
    self.text = text
  }
}
