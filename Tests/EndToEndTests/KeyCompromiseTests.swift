import Foundation
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// Keys are stolen one after the other, replaced, and no device has to be touched.
  @Suite("Key compromise")
  struct KeyCompromiseTests {
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      scratch = try Scratch("compromise")
      repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.makeWithOwnKeys("--root", "2/3")
      try publish(1)
    }

    private func publish(_ release: Int) throws {
      try scratch.write("maps/europe/malta/base.bin", "map \(release)")
      try repository.publish("\(scratch.path)/maps", label: "r\(release)")
    }

    /// A device that was set up with what the repository serves now.
    private func device() throws -> Device {
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "europe").exit == 0)
      return device
    }

    /// The keys as they are now: what a thief takes away.
    private func steal() throws -> String {
      let keys = "\(scratch.path)/stolen-\(UInt64.random(in: 0 ... .max))"
      try Programs.run("cp", "-a", repository.keys, keys)
      try Programs.run("cp", repository.passphraseFile, "\(keys).passphrase")
      return keys
    }

    /// What a thief with these keys makes of what is served now: a release with a high number, and high versions.
    private func forgery(with keys: String) throws -> PublishedRepository {
      let copy = try repository.copy(to: "\(scratch.path)/forged-\(UInt64.random(in: 0 ... .max))")
      let forged = PublishedRepository(path: copy.path, keys: keys)
      try forged.addRelease(999) { _ in }
      try forged.signTimestamp { $0["version"] = 100_000 }
      return forged
    }

    private func expectRefused(_ device: Device, _ forged: PublishedRepository) throws {
      let before = try device.state()
      let run = try device.run("--repository", forged.url, "apply")
      #expect(run.exit == 21, "\(run)")
      #expect(run.error.contains("has valid signatures of 0 of the 1 keys"), "\(run.error)")
      #expect(try device.state() == before)
    }

    @Test("stolen online keys, targets keys and a root key are replaced; devices at every older root follow")
    func drill() throws {
      var devices = [try device()]
      let stolen = try steal()
      // Until the keys are replaced nothing can help: the thief is believed, and drives the versions up.
      let victim = try device()
      let firstForgery = try forgery(with: stolen)
      #expect(try victim.run("--repository", firstForgery.url, "check").exit == 10)
      devices.append(victim)

      for (release, role) in [(2, "timestamp"), (3, "snapshot"), (4, "targets")] {
        try repository.tinypublish("key", "rotate", repository.path, role)
        try publish(release)
        devices.append(try device())
      }
      #expect(try repository.signed("4.root.json")["version"] == 4)
      let forged = try forgery(with: stolen)
      for device in devices { try expectRefused(device, forged) }
      for device in devices { #expect(try device.run("check").exit == (device === devices.last ? 0 : 10)) }

      // One of three root keys, where two are needed, makes no root.
      let old = try repository.signed("4.root.json")
      let rootKey = try #require(old[["roles", "root", "keyids"]]?.elements.first)
      guard case .text(let id) = rootKey else { throw Unmet("no root key") }
      try forgeRoot(in: forged, with: stolen, keyID: id)
      for device in devices {
        let run = try device.run("--repository", forged.url, "check")
        #expect(
          run.exit == 21 && run.error.contains("5.root.json has valid signatures of 1 of the 2 keys"),
          "\(run)")
      }
      try repository.tinypublish("key", "rotate", repository.path, "root", id)
      try publish(5)

      for device in devices {
        #expect(try device.run("apply").exit == 0)
        #expect(try device.release() == 5)
        #expect(
          try contents("\(device.root)/trust/root.json")
            == contents("\(repository.path)/metadata/5.root.json"))
        try expectRefused(device, forgery(with: stolen))
      }
      try Programs.run(Programs.tinypublish(), "verify", repository.path)
    }

    /// A next root in which the thief has given every role to a key of his own.
    private func forgeRoot(in forged: PublishedRepository, with keys: String, keyID: String) throws {
      let thief = try SigningKey()
      var root = try forged.signed("4.root.json")
      root["version"] = 5
      root[["keys", thief.id]] = thief.tree
      for role in SignedRepository.topLevel where role != "root" {
        root[["roles", role]] = SignedRepository.role([thief])
      }
      let name = try #require(try names(keys).first { $0.hasPrefix("root-\(keyID.prefix(16))") })
      let signature = try forged.signature(of: root, keyFile: "\(keys)/\(name)")
      try forged.replace(
        "metadata/5.root.json",
        Array(JSONTree.object(["signed": root, "signatures": [signature]]).json.utf8))
    }
  }
}
