/// What a component waits for, or what is being done with it.
package enum Activity: Equatable {
  case waiting, downloading, indexing, applying

  package var word: String {
    switch self {
    case .waiting: "waiting"
    case .downloading: "downloading"
    case .indexing: "indexing"
    case .applying: "applying"
    }
  }

  init?(word: String) {
    switch word {
    case "waiting": self = .waiting
    case "downloading": self = .downloading
    case "indexing": self = .indexing
    case "applying": self = .applying
    default: return nil
    }
  }
}
