internal import ArgumentParser
internal import Publisher

/// Whether a release that waits for signatures is published when keys change.
struct PendingOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Also publish a release or roll-out that waits for signatures, if the new keys suffice. (default: refuse)"
    ))
  var withPending = false

  var waiting: MetadataSession.WaitingRelease { withPending ? .publish : .refuse }
}
