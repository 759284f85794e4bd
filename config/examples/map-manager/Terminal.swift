import Dispatch
@preconcurrency import Glibc

/// The terminal: raw input, and a screen of its own that goes when the program does.
struct Terminal {
  private let before: termios

  /// What a person has pressed.
  enum Key: Equatable {
    case character(Character)
    case up, down, pageUp, pageDown, enter, escape
  }

  /// Nil if standard input or output is no terminal.
  init?() {
    var settings = termios()
    guard isatty(0) == 1, isatty(1) == 1, tcgetattr(0, &settings) == 0 else { return nil }
    before = settings
    cfmakeraw(&settings)
    tcsetattr(0, TCSAFLUSH, &settings)
    write("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// As it was before.
  func restore() {
    write("\u{1b}[?25h\u{1b}[?1049l")
    var settings = before
    tcsetattr(0, TCSAFLUSH, &settings)
  }

  var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes all lines: one write, so that nothing flickers.
  func draw(_ lines: [Screen.Line]) {
    var text = "\u{1b}[H"
    for (index, line) in lines.enumerated() {
      text +=
        "\u{1b}[\(index + 1);1H" + (line.isSelected ? "\u{1b}[7m\(line.text)\u{1b}[0m" : line.text)
        + "\u{1b}[K"
    }
    write(text + "\u{1b}[J")
  }

  /// The keys in what was read at once: a person's escape comes alone, a key's begins a sequence.
  static func keys(_ bytes: [UInt8]) -> [Key] {
    let text = String(decoding: bytes, as: UTF8.self)
    let named: [(String, Key)] = [
      ("\u{1b}[A", .up), ("\u{1b}[B", .down), ("\u{1b}OA", .up), ("\u{1b}OB", .down), ("\u{1b}[5~", .pageUp),
      ("\u{1b}[6~", .pageDown), ("\r", .enter), ("\n", .enter), ("\u{3}", .character("q")),
    ]
    var (keys, rest): ([Key], Substring) = ([], text[...])
    while let first = rest.first {
      if let (sequence, key) = named.first(where: { rest.hasPrefix($0.0) }) {
        keys.append(key)
        rest = rest.dropFirst(sequence.count)
      } else if first == "\u{1b}" {
        keys.append(.escape)
        // A sequence that has no name here.
        rest =
          rest.hasPrefix("\u{1b}[")
          ? rest.dropFirst(2).drop { !$0.isLetter && $0 != "~" }.dropFirst() : rest.dropFirst()
      } else {
        keys.append(.character(first))
        rest = rest.dropFirst()
      }
    }
    return keys
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR && errno != EAGAIN { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }
}
