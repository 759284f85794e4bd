import Glibc
import TestSupport
import Testing

extension EndToEnd {
  /// The example of a bridge to D-Bus, on a bus of its own.
  @Suite("The bridge to D-Bus")
  struct DBusBridgeTests {
    private let sample: TreeSample

    init() throws { sample = try TreeSample.shared.get() }

    @Test("G4: programs on D-Bus ask, change and observe through the bridge, and get typed errors")
    func bridge() throws {
      let device = try sample.device(installing: "europe/malta")
      let scratch = try Scratch("bridge")
      let library = try NavigationLibrary.directory()
      try scratch.write(
        "session.sh",
        """
        export PYTHONPATH='\(Checkout.root)/bindings/python' PYTHONDONTWRITEBYTECODE=1
        export TINYUPDATER_LIBRARY='\(library)/lib/libtinyupdater.so.1'
        '\(Checkout.root)/config/examples/dbus-bridge' --session --root '\(device.root)' --socket '' \
          --program '\(Programs.tinyupdater())' --config '\(device.configuration)' &
        gdbus wait --session --timeout 60 org.tinyupdater.Maps || exit 1
        gdbus monitor --session --dest org.tinyupdater.Maps >'\(scratch.path)/signals' &
        until grep -q 'is owned by' '\(scratch.path)/signals'; do sleep 0.05; done
        call() { method=$1; shift; gdbus call --session --timeout 60 --dest org.tinyupdater.Maps \
          --object-path /org/tinyupdater/Maps --method "org.tinyupdater.Maps.$method" "$@" 2>&1; echo "= $?"; }
        call GetStatus
        call List false
        call GetPackageAt 36.05 14.25
        call Install "['pacific/fiji']"
        until grep -q "'changed'" '\(scratch.path)/signals'; do sleep 0.05; done
        call SelectGroups "['no-such']"
        call GetGroups
        call Cancel '@as []'
        """)
      let outcome = try ChildProcess.run(
        "dbus-run-session", ["--", "sh", "\(scratch.path)/session.sh"], timeout: 120)
      let ends = outcome.output.split(separator: "\n").filter { $0.hasPrefix("= ") }
      // One is refused.
      #expect(
        ends == ["= 0", "= 0", "= 0", "= 0", "= 1", "= 0", "= 0"], "\(outcome.output) \(outcome.error)")
      #expect(outcome.output.contains("'event': <'status'>"))
      #expect(outcome.output.contains("'id': <'europe/gozo'>"))
      #expect(outcome.output.contains("org.tinyupdater.Maps.InvalidParameters: "))
      #expect(outcome.output.contains("(uint64 "))
      #expect(try device.installed().keys.contains("pacific/fiji/base.bin"))
      let signals = String(decoding: try contents("\(scratch.path)/signals"), as: UTF8.self)
      for event in ["operation", "plan", "applying", "changed"] {
        #expect(
          signals.contains("org.tinyupdater.Maps.Event ({'event': <'\(event)'>"),
          "\(event): \(signals.prefix(2000))")
      }
    }
  }
}
