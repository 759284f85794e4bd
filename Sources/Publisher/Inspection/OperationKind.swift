package import PatchFormat

/// The kinds of operations that are told apart when a patch is inspected.
package enum OperationKind: Int, CaseIterable, Sendable {
  case copyOld, copyNew, copyOldReversed, copyNewReversed, numbers

  package init(_ operation: PatchOperation) {
    self =
      switch operation {
      case .copyOld, .resumeOld: .copyOld
      case .copyNew: .copyNew
      case .copyOldReversed: .copyOldReversed
      case .copyNewReversed: .copyNewReversed
      case .numbers: .numbers
      }
  }
}
