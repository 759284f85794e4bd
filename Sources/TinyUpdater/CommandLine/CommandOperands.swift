/// The operands that a command takes.
enum CommandOperands: Equatable {
  case none
  /// Any number of ids of packages and regions.
  case ids
  /// At least one id of a package or region.
  case requiredIDs
  case coordinates
  /// The same, or none.
  case place
  case groups
  case count
  case directory
  case route
  case patchFiles

  /// The operands in usage text.
  var usage: String {
    switch self {
    case .none: ""
    case .ids: "[ID…]"
    case .requiredIDs: "ID…"
    case .coordinates: "LATITUDE LONGITUDE"
    case .place: "[LATITUDE LONGITUDE]"
    case .groups: "[select|deselect NAME…]"
    case .count: "[N]"
    case .directory: "DIR"
    case .route: "ROUTE"
    case .patchFiles: "OLD PATCH NEW"
    }
  }

  /// Words that are operands themselves.
  var keywords: [String] {
    switch self {
    case .none, .ids, .requiredIDs, .coordinates, .place, .count, .directory, .route, .patchFiles: []
    case .groups: ["select", "deselect"]
    }
  }
}
