internal import Platform

extension Report {
  /// A component that a device at the previous release downloads.
  package struct Component: Codable, Equatable, Sendable {
    package let id: String
    package let dataGroup: String
    package let path: String
    /// Of the download.
    package let size: UInt64

    package init(id: String, dataGroup: String, path: String, size: UInt64) {
      self.id = id
      self.dataGroup = dataGroup
      self.path = path
      self.size = size
    }
  }

  /// A component whose update is among the largest.
  package struct LargeUpdate: Codable, Equatable, Sendable {
    package let component: Component
    package let fullDownload: UInt64
    /// More than one is a chain.
    package let patches: Int
    /// What a single patch is made of.
    package let patch: PatchFigures?

    package init(_ component: Component, fullDownload: UInt64, patches: Int, patch: PatchFigures?) {
      self.component = component
      self.fullDownload = fullDownload
      self.patches = patches
      self.patch = patch
    }
  }

  /// What a patch is made of.
  package struct PatchFigures: Codable, Equatable, Sendable {
    /// The parts of all blocks together, with the names of `docs/format/patch.md`.
    package let columns: [Column]
    package let operations: [Operations]
    package let deflateStreams: Streams

    package init(columns: [Column], operations: [Operations], deflateStreams: Streams) {
      self.columns = columns
      self.operations = operations
      self.deflateStreams = deflateStreams
    }

    /// Each column is there, once: figures that were read from a file may be of something else.
    package var isComplete: Bool { columns.map(\.name) == Column.Name.allCases }
  }

  /// One part of all blocks.
  package struct Column: Codable, Equatable, Sendable {
    package enum Name: String, Codable, CaseIterable, Sendable {
      case operations, copies, runs, differences, numbers, targets, literals
    }

    package let name: Name
    /// Before compression.
    package let size: UInt64
    /// What it would take if it were compressed alone.
    package let packedSize: UInt64

    package init(_ name: Name, size: UInt64, packedSize: UInt64) {
      self.name = name
      self.size = size
      self.packedSize = packedSize
    }
  }

  /// Operations of one kind.
  package struct Operations: Codable, Equatable, Sendable {
    package let name: String
    package let count: UInt64
    /// What they make, of the new file or of the contents of its streams.
    package let size: UInt64

    package init(_ name: String, count: UInt64, size: UInt64) {
      self.name = name
      self.count = count
      self.size = size
    }
  }

  /// What became of the deflate streams of the new file.
  package struct Streams: Codable, Equatable, Sendable {
    package let rebuiltFromOld: Rebuilt
    package let rebuiltWithoutOld: Rebuilt
    package let rebuiltWithGuide: Rebuilt
    /// Why the others could not be rebuilt.
    package let notRebuilt: NotRebuilt

    package init(fromOld: Rebuilt, withoutOld: Rebuilt, withGuide: Rebuilt, notRebuilt: NotRebuilt) {
      rebuiltFromOld = fromOld
      rebuiltWithoutOld = withoutOld
      rebuiltWithGuide = withGuide
      self.notRebuilt = notRebuilt
    }

    /// All that are rebuilt.
    var rebuilt: Tally {
      [rebuiltFromOld, rebuiltWithoutOld, rebuiltWithGuide].reduce(Tally()) {
        Tally(count: $0.count.saturatingSum($1.count), size: $0.size.saturatingSum($1.size))
      }
    }
  }

  /// Streams that are rebuilt from their contents.
  package struct Rebuilt: Codable, Equatable, Sendable {
    package let count: UInt64
    /// In the new file.
    package let size: UInt64
    package let contentSize: UInt64

    package init(count: UInt64, size: UInt64, contentSize: UInt64) {
      self.count = count
      self.size = size
      self.contentSize = contentSize
    }
  }

  /// Streams that could not be rebuilt, by their reason.
  package struct NotRebuilt: Codable, Equatable, Sendable {
    package static let none = NotRebuilt(
      contentTooLarge: Tally(), otherEncoder: Tally(), tooManyExtents: Tally())

    package let contentTooLarge: Tally
    package let otherEncoder: Tally
    package let tooManyExtents: Tally

    package init(contentTooLarge: Tally, otherEncoder: Tally, tooManyExtents: Tally) {
      self.contentTooLarge = contentTooLarge
      self.otherEncoder = otherEncoder
      self.tooManyExtents = tooManyExtents
    }
  }

  /// Some streams.
  package struct Tally: Codable, Equatable, Sendable {
    package let count: UInt64
    /// In the new file.
    package let size: UInt64

    package init(count: UInt64 = 0, size: UInt64 = 0) {
      self.count = count
      self.size = size
    }
  }
}
