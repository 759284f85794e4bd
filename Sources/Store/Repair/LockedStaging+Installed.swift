internal import Crypto
package import Platform

extension LockedStaging {
  /// Gives the intact file of an installed component a second name in staging, as if it had been downloaded.
  package func add(
    _ component: InstalledComponent, from generation: borrowing Generation
  ) throws(Failure) {
    try generation.link(component, to: reading)
  }
}
