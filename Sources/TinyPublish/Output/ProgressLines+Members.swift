internal import Catalog
internal import DeltaCreate
internal import MapModel
internal import Platform
internal import Publisher
internal import Releases

/// A line that only counts bytes or files.
protocol Counting: Encodable {
  var done: UInt64 { get }
  var total: UInt64 { get }
}

/// The members of lines, in the order of the properties.
extension ProgressLines {
  /// The first members of each line.
  struct Line: Encodable {
    let event: String
    let milliseconds: UInt64
  }

  struct Nothing: Encodable {}

  struct Begin: Encodable {
    let schema = 1
    let command: String
    let version = productVersion
    let time: String
  }

  struct Ending: Encodable {
    let result: String
    let exit: Int32
    let message: String?
  }

  struct Message: Encodable {
    let message: String
  }

  struct Progress: Counting {
    let done: UInt64
    let total: UInt64
  }

  struct Named: Counting {
    let name: String
    let done: UInt64
    let total: UInt64
  }

  struct Unpacked: Counting {
    let path: String
    let done: UInt64
    let total: UInt64
  }

  struct Checked: Counting {
    let release: UInt64
    let name: String
    let done: UInt64
    let total: UInt64
  }

  struct Explained: Counting {
    let release: UInt64
    let done: UInt64
    let total: UInt64
  }

  struct Copied: Encodable {
    let stage: String
    let files: Int
  }

  struct Reading: Encodable {
    let release: UInt64
    let label: String
  }

  struct Made: Encodable {
    let size: UInt64
    let isUnchanged: Bool
    let fullDownload: UInt64
    let update: UInt64?

    init(_ component: ComponentReport) {
      (size, fullDownload) = (component.entry.size, component.entry.fullDownload)
      (isUnchanged, update) = (component.isUnchanged, component.update)
    }
  }

  struct Working: Encodable {
    let id: String?
    let dataGroup: String?
    let path: String?
    let stage: String
    let window: Int?
    let windows: Int?

    init(_ event: WorkEvent) {
      let name = event.component
      (id, dataGroup, path) = (name?.id.text, name?.dataGroup.text, name?.path)
      stage = event.progress.stage.rawValue
      (window, windows) = (event.progress.window?.number, event.progress.window?.count)
    }
  }

  struct Verified: Encodable {
    let release: UInt64
    let label: String
    let components: Int
    let payloads: Int
    let problems: Int

    init(_ row: Verification.Row) {
      (release, label) = (row.release.number, row.release.label)
      (components, payloads, problems) = (row.components, row.payloads, row.problems)
    }
  }

  struct Bundle: Encodable {
    let path: String
    let release: UInt64
    let label: String
    /// Labels.
    let from: [String]
    let packages: Int
    let files: Int
    let size: UInt64
    let expires: String

    init(_ contents: BundleContents, path: String) {
      self.path = path
      (release, label) = (contents.release.number, contents.release.label)
      from = contents.from.map(\.label)
      (packages, files, size) = (contents.packages, contents.files.count, contents.size)
      expires = Clock.timestamp(contents.expires)
    }
  }
}
