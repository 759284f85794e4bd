internal import ArgumentParser
internal import Publisher

/// `tinypublish inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show the content of a file of a repository.",
    discussion: """
      Recognises components (.dat), catalogs (.update, compressed or not), signed metadata, map.xml and patches by \
      their content, not by name. Signatures are verified with the newest root in the same directory.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Flag(help: "Of a patch, also show what it consists of: its columns, operations and deflate streams.")
  var contents = false

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    var reporter = answers.begin("inspect")
    do throws(PublisherError) {
      let inspection = try Inspection(of: file)
      var view = InspectionView(inspection)
      if contents, case .patch = inspection {
        view.contents = try PatchContents(of: file)
      }
      // Which answer it is, depends on the file.
      if answers.json { Answer.write(view.answer) } else if !answers.quiet { Output.write(view.text) }
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }
}
