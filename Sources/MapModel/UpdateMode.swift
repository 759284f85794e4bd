/// When the maps that an update has made ready become the current ones.
package enum UpdateMode: Equatable {
  /// As soon as they are ready: somebody has asked for them.
  case atOnce
  /// When somebody says so: they stand by.
  case staged
  /// As the configuration says, which also says when such an update may be at work: a timer has asked, or a start.
  case automatic
}
