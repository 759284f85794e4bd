// A manager of the maps of this device for a terminal: what a settings page of a navigation program does.
//
//   map-manager [--root DIR] [--socket PATH] [--program PATH] [--config FILE] [--lang LANGUAGE]
//
// README.md shows it. Manager.swift has what keys do, Model.swift what is known,
// Screen.swift makes text of it, and Terminal.swift writes that and reads keys.

@preconcurrency import Glibc
import MapLoader

let (events, sender) = AsyncStream<Event>.makeStream()

func options(_ words: [String]) -> MapLoader.Options? {
  var (options, words) = (MapLoader.Options(), words[...])
  while let name = words.popFirst() {
    guard let value = words.popFirst() else { return nil }
    switch name {
    case "--root": options.root = value
    case "--socket": options.socket = value
    case "--program": options.program = value
    case "--config": options.configuration = value
    case "--lang": options.language = value
    default: return nil
    }
  }
  return options
}

func complain(_ text: String) -> Never {
  fputs("map-manager: \(text)\n", stderr)
  exit(64)
}

let usage =
  "usage: map-manager [--root DIR] [--socket PATH] [--program PATH] [--config FILE] [--lang LANGUAGE]"
if CommandLine.arguments.contains("--help") {
  print(usage)
  exit(0)
}
guard let options = options(Array(CommandLine.arguments.dropFirst())) else { complain(usage) }
let loader = try MapLoader(options)
guard let terminal = Terminal() else { complain("standard input and output have to be a terminal") }

// Sources end when nobody has them.
let sources = listen(sender)
Task {
  while true {
    do throws(MapError) { for try await change in loader.changes { sender.yield(.change(change)) } } catch {
      sender.yield(.message(error.sentence))
    }
    // The service has ended, or is not there yet.
    try? await Task.sleep(for: .seconds(2))
  }
}

var manager = Manager(loader: loader, sender: sender)
var shown: [Screen.Line] = []
loop: for await event in events {
  switch event {
  case .stopped: break loop
  case .resized: shown = []
  case .keys(let bytes): for key in Terminal.keys(bytes) where !manager.press(key) { break loop }
  default: manager.take(event)
  }
  let size = terminal.size
  let lines = Screen(columns: size.columns, lines: size.lines).lines(of: manager.model)
  if lines != shown { terminal.draw(lines) }
  shown = lines
}
terminal.restore()
exit(0)
