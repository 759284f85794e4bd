import Dispatch
@preconcurrency import Glibc

/// Hears keys, another size of the terminal, and who asks the program to end.
func listen(_ sender: AsyncStream<Event>.Continuation) -> [any DispatchSourceProtocol] {
  let input = DispatchSource.makeReadSource(fileDescriptor: 0)
  input.setEventHandler {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(0, &bytes, bytes.count)
    sender.yield(count > 0 ? .keys(Array(bytes[..<count])) : .stopped)
    if count <= 0 { input.cancel() }
  }
  input.activate()
  let signals = [SIGWINCH, SIGTERM, SIGINT, SIGHUP].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler { sender.yield(number == SIGWINCH ? .resized : .stopped) }
    source.activate()
    return source
  }
  return [input] + signals
}
