internal import Platform
internal import Transport

/// The table of settings: for each key of a configuration what it may be, and what it sets.
///
/// The defaults are those of `Configuration`. `config/tinyupdater.conf` and tinyupdater.conf(5) describe the settings; tests
/// compare both with this table.
package enum Setting: String, CaseIterable {
  case root
  case repository
  case content
  case trustedRoot = "trusted_root"
  case offline
  case applicationVersion = "application_version"
  case expiry
  case base
  case atBoot = "at_boot"
  case activation
  case window
  case inhibit
  case require
  case areaRadius = "area_radius"
  case areaKeep = "area_keep"
  case trial
  case trialBoots = "trial_boots"
  case healthCommand = "health_command"
  case healthMemory = "health_memory"
  case healthTime = "health_time"
  case memoryBudget = "memory_budget"
  case lowSpace = "low_space"
  case withdrawn
  case refused
  case spaceReserve = "space_reserve"
  case storageLimit = "storage_limit"
  case certificateAuthorities = "certificate_authorities"
  case clientCertificate = "client_certificate"
  case clientKey = "client_key"
  case authorization
  case proxy
  case userAgent = "user_agent"
  case rateLimit = "rate_limit"
  case downloadLimit = "download_limit"
  case downloadLimitDay = "download_limit_day"
  case fallback
  case spread
  case reportURL = "report_url"
  case retries
  case retryDelay = "retry_delay"
  case connectTimeout = "connect_timeout"
  case stallTimeout = "stall_timeout"
  case log
  case logLevel = "log_level"
  case logSize = "log_size"
  case indexCommand = "index_command"
  case indexMemory = "index_memory"
  case indexTime = "index_time"
  case socket
  case socketGroup = "socket_group"

  /// Takes a value; false if it is not one of this setting, and then nothing is changed.
  func take(_ text: String, for configuration: inout Configuration) -> Bool {
    let value = SettingValue(text, of: self)
    return switch self {
    case .root: value.absolutePath.store(in: &configuration.root)
    case .repository: value.baseURL.append(to: &configuration.mirrors)
    case .content: value.baseURL.append(to: &configuration.depots)
    case .trustedRoot: value.text.store(in: &configuration.trustedRoot)
    case .offline: value.flag.store(in: &configuration.isOffline)
    case .applicationVersion: UInt64(ascii: text.utf8).store(in: &configuration.applicationVersion)
    case .expiry: value.expiryRule.store(in: &configuration.expiry)
    case .base: value.text.store(in: &configuration.base)
    case .atBoot: BootRule(word: text).store(in: &configuration.atBoot)
    case .activation: Activation(word: text).store(in: &configuration.automatic.activation)
    case .window: value.dayWindows.store(in: &configuration.automatic.windows)
    case .inhibit: value.absolutePaths.store(in: &configuration.automatic.inhibiting)
    case .require: value.absolutePaths.store(in: &configuration.automatic.required)
    case .areaRadius: value.metres.store(in: &configuration.area.radius)
    case .areaKeep: value.days.store(in: &configuration.area.keep)
    case .trial: value.flag.store(in: &configuration.trial.isOn)
    case .trialBoots: value.number.store(in: &configuration.trial.starts)
    case .healthCommand: value.absolutePath.store(in: &configuration.trial.health.command)
    case .healthMemory: value.bytes.store(in: &configuration.trial.health.memory)
    case .healthTime: value.number.store(in: &configuration.trial.health.seconds)
    case .memoryBudget: value.bytes.store(in: &configuration.memoryBudget)
    case .lowSpace: LowSpace(word: text).store(in: &configuration.lowSpace)
    case .withdrawn: WithdrawalRule(word: text).store(in: &configuration.withdrawn)
    case .refused: RefusalRule(word: text).store(in: &configuration.refused)
    case .spaceReserve: value.bytes.store(in: &configuration.spaceReserve)
    case .storageLimit: value.bytes.store(in: &configuration.storageLimit)
    case .certificateAuthorities: value.text.store(in: &configuration.transport.certificateAuthorities)
    case .clientCertificate: value.absolutePath.store(in: &configuration.transport.clientCertificate)
    case .clientKey: value.absolutePath.store(in: &configuration.transport.clientKey)
    case .authorization: value.absolutePath.store(in: &configuration.transport.authorization)
    case .proxy: value.proxy.store(in: &configuration.transport.proxy)
    case .userAgent: value.headerText.store(in: &configuration.transport.userAgent)
    case .rateLimit: value.bytes.store(in: &configuration.transport.rateLimit)
    case .downloadLimit: value.bytes.store(in: &configuration.download.perRun)
    case .downloadLimitDay: value.bytes.store(in: &configuration.download.perDay)
    case .fallback: Fallback(word: text).store(in: &configuration.download.fallback)
    case .spread: value.number.store(in: &configuration.spread)
    case .reportURL: value.webURL.store(in: &configuration.reportURL)
    case .retries: value.integer.store(in: &configuration.transport.retries)
    case .retryDelay: value.number.store(in: &configuration.transport.retryDelay)
    case .connectTimeout: value.integer.store(in: &configuration.transport.connectTimeout)
    case .stallTimeout: value.integer.store(in: &configuration.transport.stallTimeout)
    case .log: Log.Destination(text).store(in: &configuration.log.destination)
    case .logLevel: Log.Level(text).store(in: &configuration.log.level)
    case .logSize: value.bytes.store(in: &configuration.log.maximumSize)
    case .indexCommand: value.absolutePath.store(in: &configuration.index.command)
    case .indexMemory: value.bytes.store(in: &configuration.index.memory)
    case .indexTime: value.number.store(in: &configuration.index.seconds)
    case .socket: value.absolutePath.store(in: &configuration.socket)
    case .socketGroup: value.text.store(in: &configuration.socketGroup)
    }
  }
}

extension Optional {
  /// True if there is a value.
  fileprivate func store(in place: inout Wrapped) -> Bool {
    guard let self else { return false }
    place = self
    return true
  }

  fileprivate func store(in place: inout Wrapped?) -> Bool {
    guard let self else { return false }
    place = self
    return true
  }

  fileprivate func append(to list: inout [Wrapped]) -> Bool {
    guard let self else { return false }
    list.append(self)
    return true
  }
}
