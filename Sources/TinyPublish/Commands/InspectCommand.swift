internal import ArgumentParser
internal import Catalog
internal import Crypto
internal import Platform
internal import Publisher

/// `tinypublish inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show what a file of a repository holds.",
    discussion: """
      Knows components (.dat), catalogs (.update, packed or not), signed metadata, map.xml and patches, and \
      recognises them by what is in them, not by name. Signatures are checked by the newest root in the same directory.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Flag(help: "Write it as JSON.")
  var json = false

  func run() throws {
    do throws(PublisherError) {
      let view = InspectionView(try Inspection(of: file))
      if json { Terminal.writeLine(view.json.text) } else { Output.write(view.text) }
    } catch { throw fail(error) }
  }
}
