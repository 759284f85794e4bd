internal import Platform

/// What a setting may be, for its parser and for people whose value is refused.
extension Setting {
  /// The whole numbers that it may be, if it is one.
  var numbers: ClosedRange<Int> {
    switch self {
    case .trialBoots: 1...1000
    case .healthTime, .connectTimeout, .stallTimeout: 1...3600
    case .indexTime: 1...604_800
    case .spread: 0...604_800
    case .retryDelay: 0...60_000
    case .retries: 0...1000
    default: 0...0
    }
  }

  /// The fewest bytes that it may be, if it is a count of them.
  var fewestBytes: UInt64 {
    switch self {
    case .memoryBudget: UpdateLimits.minimumBudget
    case .healthMemory, .indexMemory: UpdateLimits.minimumIndexMemory
    case .storageLimit: UpdateLimits.minimumStorage
    case .rateLimit: UpdateLimits.minimumRate
    case .downloadLimit, .downloadLimitDay: UpdateLimits.minimumDownload
    case .logSize: UpdateLimits.minimumLog
    default: 0
    }
  }

  /// What a user is told to write.
  var form: String {
    switch self {
    case .offline, .trial: "yes or no"
    case .expiry: "strict or floor"
    case .atBoot: "nothing, check or apply"
    case .activation: "at-once, boot or command"
    case .lowSpace: "refuse, drop-previous or in-place"
    case .withdrawn: "remove or hold"
    case .refused: "hold or leave-out"
    case .fallback: "full or never"
    case .logLevel: "error, warning, info or debug"
    case .log: "stderr, syslog, or a path that begins with /"
    case .repository, .content: "a URL that begins with https://, http:// or file://"
    case .reportURL: "a URL that begins with https:// or http://"
    case .proxy: "http://HOST:PORT, or none"
    case .root, .healthCommand, .clientCertificate, .clientKey, .authorization, .indexCommand, .socket:
      "a path that begins with /"
    case .inhibit, .require: "paths that begin with /, separated by blanks"
    case .trustedRoot, .base, .certificateAuthorities: "a path"
    case .socketGroup: "the name of a group"
    case .userAgent: "1 to 256 characters of ASCII"
    case .window: "times of the day, such as 01:00-05:00, separated by blanks"
    case .areaRadius: "a distance in metres, or in kilometres such as 50K"
    case .areaKeep: "days such as 30d, at most 3650d"
    case .applicationVersion: "a whole number"
    case .trialBoots, .healthTime, .connectTimeout, .stallTimeout, .indexTime, .spread, .retryDelay, .retries:
      "a whole number, \(numbers.lowerBound) to \(numbers.upperBound)"
    case .memoryBudget, .healthMemory, .indexMemory, .storageLimit, .rateLimit, .downloadLimit,
      .downloadLimitDay, .logSize, .spaceReserve:
      "bytes, or such as \(fewestBytes > 64 << 10 ? "" : "64K, ")64M or 64G"
        + (fewestBytes > 0 ? ", at least \(fewestBytes >> 10)K" : "")
    }
  }
}
