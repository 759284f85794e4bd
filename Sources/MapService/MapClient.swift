internal import JSONReading
package import MapReading
package import Platform

/// What a navigation program asks, and the maps that it reads; nothing of it waits.
///
/// Every request is answered by events, which `next` returns when `raw` is readable. A request is a connection to the
/// service (`docs/programs.md`), or a process of the program where no service listens.
package final class MapClient {
  private let options: MapClientOptions
  private let descriptors: DescriptorSet
  private let store: MapStore
  private var channels: [MapChannel] = []
  private var events: [MapEvent] = []
  private var lastRequest: UInt64 = 0

  package init(_ options: MapClientOptions) throws(Failure) {
    self.options = options
    descriptors = try DescriptorSet()
    store = MapStore(options.root)
    watchStore()
  }

  /// Readable when there may be something for `next`.
  package var raw: CInt { descriptors.raw }

  /// What happens next.
  package enum Occasion {
    case event(MapEvent)
    /// Other maps may be current, or are to be let go.
    case maps
  }

  /// The next occasion; nil if there is none at the moment.
  package func next() -> Occasion? {
    while true {
      if !events.isEmpty { return .event(events.removeFirst()) }
      guard let number = descriptors.next() else { return nil }
      if number == 0 {
        let isChanged = store.takeChanges()
        watchStore()
        if isChanged { return .maps }
        continue
      }
      guard let index = channels.firstIndex(where: { $0.request == number }) else { continue }
      events = channels[index].read()
      if channels[index].hasEnded { channels.remove(at: index) }
    }
  }

  // MARK: - Requests

  /// Asks for something; returns the number of the request.
  package func begin(_ method: MapMethod, _ parameters: JSON = JSON()) throws(MapRefusal) -> UInt64 {
    guard channels.count < MapClient.mostRequests else {
      throw MapRefusal(
        .busy, "\(MapClient.mostRequests) requests are being answered already; wait for one, or leave it")
    }
    let request = lastRequest + 1
    var parameters = parameters
    if method.hasLanguage, !options.language.isEmpty { parameters.add("language", options.language) }
    let channel = try open(request, method, parameters)
    do throws(Failure) { try descriptors.add(channel.raw, number: request) } catch { throw MapRefusal(error) }
    channels.append(channel)
    lastRequest = request
    return request
  }

  /// No further events of a request: a question ends, an operation continues.
  package func leave(_ request: UInt64) {
    channels.removeAll { $0.request == request }
    events.removeAll { $0.request == request }
  }

  private func open(
    _ request: UInt64, _ method: MapMethod, _ parameters: JSON
  ) throws(MapRefusal) -> MapChannel {
    do throws(Failure) {
      guard !options.socket.isEmpty else { throw Failure(.noEntry, path: "") }
      return try MapChannel.call(request, method, parameters, at: options.socket)
    } catch {
      guard error.errno?.isOfNoListener == true else { throw MapRefusal(error) }
    }
    let words = try words(method, parameters)
    do throws(Failure) {
      guard !options.program.isEmpty else { throw Failure(.noEntry, path: "") }
      return try MapChannel.start(request, program: options.program, words: words)
    } catch {
      guard error.errno?.isOfNoListener == true else { throw MapRefusal(error) }
      throw MapRefusal(.unusable, unreachable)
    }
  }

  /// Neither a service nor a program is there.
  private var unreachable: String {
    if options.socket.isEmpty && options.program.isEmpty { return "neither a socket nor a program is named" }
    let service = options.socket.isEmpty ? "" : "no service listens at \(options.socket.escapingControls)"
    let program =
      options.program.isEmpty ? "" : "the program \(options.program.escapingControls) cannot be started"
    let both = service.isEmpty || program.isEmpty ? "" : ", and "
    return "\(service)\(both)\(program); start \"tinyupdater serve\", or name its socket or the program"
  }

  /// The command line that does what a method of the service does.
  private func words(_ method: MapMethod, _ parameters: JSON) throws(MapRefusal) -> [String] {
    var words = ["--json", "--root=\(options.root)"]
    if !options.config.isEmpty { words.append("--config=\(options.config)") }
    do throws(JSONError) {
      let parameters = try JSONValue(message: Array(parameters.text.utf8))
      do throws(MapMethod.InvalidParameter) { return words + (try method.words(parameters)) } catch {}
    } catch {}
    throw MapRefusal(.usage, "the parameters of \(method.name) cannot be sent: they are too many")
  }

  // MARK: - Maps

  /// Holds the maps that are current.
  package func hold() throws(Failure) -> HeldMaps { try store.hold() }

  /// Maps of a generation that an update in place waits for are let go.
  package func letGo(of generation: UInt64) { store.letGo(of: generation) }

  /// The store may be made later, and then there is something else to watch.
  private func watchStore() {
    guard let raw = store.raw else { return }
    do throws(Failure) { try descriptors.add(raw, number: 0) } catch {}
  }

  /// Requests that are answered at a time: half of what the service serves.
  private static var mostRequests: Int { 16 }
}

/// Why a request cannot be made.
package struct MapRefusal: Error, Equatable {
  package let result: ResultCode
  package let sentence: String

  init(_ result: ResultCode, _ sentence: String) {
    self.result = result
    self.sentence = sentence
  }

  init(_ failure: Failure) { self.init(failure.result, failure.sentence) }
}
