internal import MapModel
internal import Store

/// An update in place that was interrupted after there was no way back.
extension Updater {
  /// Finishes it, without a network; nil if there is none.
  func finishConversion(
    in store: borrowing LockedStore, figures: inout RunFigures
  ) throws(UpdateError) -> Outcome? {
    switch try wrap(store: store.reading.conversion()) {
    case .none: return nil
    case .some(let conversion):
      let target = conversion.target
      let isLost = try wrap(store: store.reading.isCurrentLost())
      let before = try isLost ? nil : wrap(store: store.reading.currentRelease())?.release
      events.publish(.notice(.conversionResumed(target.release)))
      let context = try RunContext(store.reading, groups: try wrap(store: conversion.dataGroups()))
      var run = Run(
        .update(), from: try wrap(store: conversion.openBase()), to: target, context: context, updater: self)
      defer { figures = run.figures }
      try run.finishInPlace(store)
      return .changed(from: before, to: target.release)
    }
  }
}
