/// Where a client finds the maps, and those who change them.
package struct MapClientOptions {
  /// The store.
  package var root = "/var/lib/tinyupdater"
  /// The socket of the service; empty: none.
  package var socket = "/run/org.tinyupdater.Maps"
  /// The program that is started where no service listens; empty: none.
  package var program = "/usr/sbin/tinyupdater"
  /// The configuration for that program; empty: its default.
  package var config = ""
  /// The language of names; empty: that of the locale.
  package var language = ""

  package init() {}
}
