internal import Platform
package import Varlink

/// The interface that the program serves; `config/varlink` has the same text as a file.
package enum MapInterface {
  package static var name: String { "org.tinyupdater.Maps" }

  package static var service: VarlinkService {
    VarlinkService(
      vendor: "TinyUpdater", product: "tinyupdater", version: productVersion,
      url: "", interfaces: [(name, description)])
  }

  package static var description: String {
    """
    # The maps of this device, which tinyupdater keeps at one release.
    #
    # Every method replies with events: the objects that `tinyupdater --json` writes, one for each line. They are described in
    # docs/events.md, and by JSON Schemas in docs/schema. The last event of the last reply is `result`, except in Watch.
    # Called with "more", a method replies several times, as events come; without, once, with all of them.
    #
    # Install, Uninstall, Update and Repair begin an operation, which continues when the client disconnects. Without "more"
    # they reply as soon as it has its number, with its event `operation`; Watch, or the same method with "more", tells the rest.
    interface org.tinyupdater.Maps

    # What is installed, and how the last run ended: the event `status`.
    method GetStatus() -> (events: []object)

    # All regions and packages, with their states, sizes and actions: the events `region` and `package`.
    # composite: without the smallest packages. language: that of the names, such as "de". ids: only these and what is in
    # them, whose part of the catalog is downloaded if it is not on this device.
    method List(composite: ?bool, language: ?string, ids: ?[]string) -> (events: []object)

    # The smallest package at a place, in degrees: the event `package`.
    method GetPackageAt(latitude: float, longitude: float, language: ?string) -> (events: []object)

    # All packages within `radius` metres of a place: the events `package`.
    method GetPackagesNear(latitude: float, longitude: float, radius: int, language: ?string) -> (events: []object)

    # The polygons of packages: the events `polygon`, each with up to 256 corners of a ring.
    method GetPolygons(ids: []string) -> (events: []object)

    # The data groups, and which are selected: the events `group`.
    method GetGroups() -> (events: []object)

    # Selects data groups, or no longer selects them, for the next update.
    method SelectGroups(groups: []string) -> (events: []object)
    method DeselectGroups(groups: []string) -> (events: []object)

    # Asks the repository for a newer release: the event `check`.
    method Check() -> (events: []object)

    # What an update would download and change: the event `plan`.
    method Plan() -> (events: []object)

    # Installs packages and regions, with all maps at the newest release.
    method Install(ids: []string) -> (events: []object)

    # Removes packages and regions.
    method Uninstall(ids: []string) -> (events: []object)

    # Updates all maps to the newest release. stage: does everything but the switch, which Activate does later.
    method Update(stage: ?bool) -> (events: []object)

    # Makes the release current that is staged, without a network.
    method Activate() -> (events: []object)

    # Notes where the device is, in degrees: updates then bring the maps around it. It may be called once a minute.
    method SetPosition(latitude: float, longitude: float) -> (events: []object)

    # Cancels operations: those on these packages and regions, or the one with this number; without either, all.
    method Cancel(ids: ?[]string, operation: ?int) -> (events: []object)

    # The state of everything, then every event, until the client disconnects. Only with "more".
    method Watch(language: ?string) -> (events: []object)

    # Goes back to the previous release. Only for root.
    method Rollback() -> (events: []object)

    # Ends the trial of a release, which stays. Only for root.
    method Confirm() -> (events: []object)

    # Replaces damaged maps. Only for root.
    method Repair() -> (events: []object)

    # It could not be done: the name and the exit code of the result, as in docs/exit-codes.md, and a sentence;
    # without enough space also the bytes, or the files, that are needed and available.
    error Failed (result: string, exit: int, message: string, needed: ?int, available: ?int, neededFiles: ?int, availableFiles: ?int)

    # Too many clients are served at the moment, or too much is being done.
    error TooBusy ()

    """
  }
}
