internal import MapReading
internal import MapService
internal import Platform

/// The maps of this device: what there is, what is installed, and how that changes.
///
/// A program needs one. It asks the service `tinyupdater serve`, or starts `tinyupdater` where none listens; making one does
/// neither, and opens no connection. What it returns are values, which do not change: a tree is that of its release.
public final class MapLoader: Sendable {
  let engine: Engine

  /// Where the maps are, and those who change them.
  public struct Options: Sendable {
    /// The store.
    public var root = MapClientOptions().root
    /// The socket of the service; empty: the program is always started.
    public var socket = MapClientOptions().socket
    /// The program that is started where no service listens; empty: none.
    public var program = MapClientOptions().program
    /// The configuration for that program; empty: its default.
    public var configuration = MapClientOptions().config
    /// The language of names, such as `de`; empty: that of the locale.
    public var language = MapClientOptions().language

    /// The usual places.
    public init() {}
  }

  /// Makes one; neither the store nor a service has to be there yet.
  public init(_ options: Options = Options()) throws(MapError) {
    var wanted = MapClientOptions()
    wanted.root = options.root
    wanted.socket = options.socket
    wanted.program = options.program
    wanted.config = options.configuration
    wanted.language = options.language
    do throws(Failure) { engine = Engine(try MapClient(wanted)) } catch { throw MapError(error) }
  }

  /// Holds the maps that are current, for as long as the value lives.
  ///
  /// Throws `busy` while they are replaced in place; `changes` says when to try again.
  public func hold() throws(MapError) -> InstalledMaps {
    do throws(Failure) { return InstalledMaps(try engine.hold(), engine) } catch { throw MapError(error) }
  }
}
