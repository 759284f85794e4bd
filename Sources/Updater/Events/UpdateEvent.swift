package import MapModel
package import MapTree
package import Store

/// What an updater does, as it does it.
package indirect enum UpdateEvent {
  /// The operation waits in the queue under this number.
  case queued(UInt64, Operation)
  /// Its cancellation was requested for these packages and regions, or as a whole if there are none, and is done.
  case cancelled(UInt64, ids: [PackageID])
  /// An operation of the queue is carried out next.
  case started(QueuedOperation)
  /// It has ended, or waits again.
  case ended(OperationReport)
  /// What will be done, before the first byte.
  case planned(Plan, from: Release?, to: Release)
  /// What comes and goes because of the place of the device.
  case area(AreaChange)
  case component(ComponentName, ComponentState)
  case progress(Progress)
  /// Everything is staged; the new generation is built and made current, and nothing stops that.
  case committing
  /// A release is ready to become the current one.
  case standby(Release)
  /// Another generation is current.
  case changed(from: Release?, to: Release)
  /// The repository was asked what is new.
  case checked(CheckResult)
  /// The maps are ready after a start of the device, if there are any.
  case ready(Readiness)
  /// There is a newer release, for which the device's application is too old.
  case applicationTooOld(AnnouncedRelease)
  /// There is a newer release, which is blocked.
  case blocked(BlockedRelease)
  /// A release that the device has, or that stands by, is recalled by its publisher.
  case recalled(RecalledRelease)
  /// The trial of a release changes its state.
  case trial(Release, TrialState)
  /// An attempt at a connection failed, and another one follows.
  case connectionLost(ConnectionLoss)
  case connectionFound
  /// Something that the user should know, although the operation continues.
  case notice(Notice)

  /// It is about an operation that is not the one that is carried out, and has the number of that.
  var isOfAnother: Bool {
    switch self {
    case .queued, .cancelled: true
    default: false
    }
  }

  /// What is done with a component.
  package enum ComponentState: Equatable {
    /// It will be downloaded after others; emitted for the first `UpdateLimits.componentEvents` of a plan.
    case waiting
    /// Its payload is downloaded next; `waiting` components follow.
    case downloading(Payload, waiting: Int)
    /// It is complete and verified.
    case staged(Payload, size: UInt64, waiting: Int)
    /// Made in place, of what was staged; in bytes.
    case made(size: UInt64)
    /// Its index is being made, while the next component is downloaded.
    case indexing
    /// The index is complete; `size` is 0 if the index command decided that there is none.
    case indexed(size: UInt64)
    /// It is part of the new generation; emitted for as many components as `waiting`.
    case installed
    /// It is no longer part of the maps; emitted for as many components as `waiting`.
    case removed
  }

  /// What becomes of a trial, unless a start ends it.
  package enum TrialState: Equatable { case begun, confirmed }

  /// How far the download of an operation is.
  package struct Progress: Equatable {
    /// What is worked on: the component that is downloaded, or the one that is indexed.
    package var component: ActiveOperation.Component?
    /// Bytes that this run has downloaded, and all that it will download.
    package var done: UInt64 = 0
    package var total: UInt64 = 0
    /// Components after this one.
    package var waiting = 0
  }

  /// A failed attempt at a request.
  package struct ConnectionLoss: Equatable {
    package let url: String
    package let cause: String
    /// The attempt that failed, counted from 1.
    package let attempt: Int
    /// Milliseconds until the next attempt.
    package let pause: UInt64
  }
}
