internal import Platform

/// Lines for standard output: one system call for each would take as long as everything else.
struct LineBuffer {
  private var text = ""

  mutating func add(_ line: String) {
    text += line
    text += "\n"
    if text.utf8.count > 8 << 10 { flush() }
  }

  mutating func flush() {
    Terminal.write(text)
    text = ""
  }
}
