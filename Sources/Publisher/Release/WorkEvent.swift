package import DeltaCreate
package import MapModel
internal import Platform

/// A step of the work on one payload.
package struct WorkEvent: Sendable {
  /// Nil outside of a release.
  package let component: ComponentName?
  package let progress: PatchProgress

  /// Takes events from any thread, at any time.
  package typealias Observer = @Sendable (WorkEvent) -> Void

  /// Passes on what happens after the work on a component has taken a while, so that many small ones cause no events.
  static func late(_ component: ComponentName, to observer: @escaping Observer)
    -> @Sendable (PatchProgress) -> Void
  {
    let begun = Clock.milliseconds
    return { progress in
      guard Clock.milliseconds - begun >= PublisherLimits.quietWork else { return }
      observer(WorkEvent(component: component, progress: progress))
    }
  }
}
