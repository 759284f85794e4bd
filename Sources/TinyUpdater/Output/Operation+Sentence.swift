internal import MapModel
internal import Updater

extension Operation {
  /// Such as "install europe/malta, europe/latvia".
  var sentence: String { ids.isEmpty ? word : "\(word) \(ids.firstOnes)" }
}
