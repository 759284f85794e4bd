import Glibc
import Platform
import TestSupport
import Testing

@testable import TinyUpdater

/// The completions of bash, zsh and fish.
@Suite("Completions")
struct CompletionTests {
  private let folder = "\(Checkout.root)/config/completions"
  private let scratch: Scratch

  /// A `tinyupdater` that has a region and a package, and writes down how it was called.
  init() throws {
    scratch = try Scratch("completions")
    try scratch.write(
      "bin/tinyupdater",
      """
      #!/bin/sh
      case "$*" in
      *"--json status")
          echo '{"event":"status","release":{"number":1,"label":"old"},"previous":{"number":9,"label":"older"},"blocked":[
              {"number":2,"label":"left","time":"2024-07-01T00:00:00Z","reason":"rolled back by a user"},
              {"number":3,"label":"left-too"}],"newest":{"number":4,"label":"new"}}' | tr -d '\n' ;;
      *"--json groups")
          echo '{"event":"group","name":"base","selected":true,"packages":2,"size":9}'
          echo '{"event":"group","name":"search","selected":true,"packages":2,"size":9}'
          echo '{"event":"group","name":"poi","selected":false,"packages":2,"size":9}' ;;
      *"--json list --tree")
          echo '{"event":"region","id":"europe"}'
          echo '{"event":"package","id":"europe/$(evil)","parent":"europe"}'
          echo '{"event":"package","id":"europe/`evil`","parent":"europe"}'
          echo '{"event":"package","id":"europe/malta","parent":"europe"}' ;;
      esac
      echo "$*" >>"$0.log"

      """)
    try scratch.write("bin/evil", "#!/bin/sh\n: >\"$0.done\"\n")
    for name in ["tinyupdater", "evil"] { _ = chmod("\(scratch.path)/bin/\(name)", 0o755) }
  }

  @Test("the files are made from the table of commands and options", arguments: CompletionScript.allCases)
  func files(script: CompletionScript) throws {
    let path = "\(folder)/\(script.rawValue)"
    if Environment.value("TINYUPDATER_WRITE_COMPLETIONS") != nil {
      let file = try File(opening: path, to: .replace)
      try file.write(script.text)
      try file.close()
    }
    let text = String(decoding: try File(opening: path).bytes(upTo: 1 << 20), as: UTF8.self)
    let isCurrent = text == script.text
    #expect(isCurrent, "`make completions` writes \(path)")
  }

  /// Command lines, some of the words that complete the last one, and words that must not be offered.
  private static let lines: [(line: String, offered: [String], missing: [String])] = [
    ("tinyupdater ", Command.allCases.map(\.name), ["init", "select"]),
    ("tinyupdater un", ["uninstall"], ["install"]),
    ("tinyupdater --json --root /tmp his", ["history"], ["status"]),
    ("tinyupdater list --", ["--tree", "--depth", "--root", "--help"], ["--no-wait", "--memory"]),
    ("tinyupdater apply --no", ["--no-wait"], ["--tree"]),
    ("tinyupdater -q install ", ["europe", "europe/malta"], ["check"]),
    ("tinyupdater install --root /store europe/m", ["europe/malta"], ["europe"]),
    ("tinyupdater groups ", ["select", "deselect"], ["europe", "search"]),
    ("tinyupdater groups deselect ", ["search"], ["base", "poi", "select"]),
    ("tinyupdater groups select ", ["poi"], ["base", "search", "deselect"]),
    ("tinyupdater apply --release ", ["new", "left", "left-too"], ["old", "older", "1"]),
    ("tinyupdater --root /store activate --release n", ["new"], ["left"]),
    ("tinyupdater he", ["help"], ["history"]),
    ("tinyupdater help ", Command.allCases.map(\.name), ["europe"]),
  ]

  @Test("bash completes commands, their options and ids", arguments: lines)
  func bash(line: String, offered: [String], missing: [String]) throws {
    let script = """
      source '\(folder)/tinyupdater.bash'
      IFS=' ' read -ra COMP_WORDS <<<"$1"
      case $1 in *' ') COMP_WORDS+=("") ;; esac
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _tinyupdater
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try expect(
      "bash", arguments: ["--norc", "-c", script, "bash", line], line: line, offered: offered,
      missing: missing)
  }

  @Test("fish completes commands, their options and ids", .enabled(if: has("fish")), arguments: lines)
  func fish(line: String, offered: [String], missing: [String]) throws {
    let script = "source '\(folder)/tinyupdater.fish'; complete -C '\(line)' | string replace -r '\\t.*' ''"
    try expect(
      "fish", arguments: ["--no-config", "-c", script], line: line, offered: offered, missing: missing)
  }

  @Test("zsh completes commands, their options and ids", .enabled(if: has("zsh")), arguments: lines)
  func zsh(line: String, offered: [String], missing: [String]) throws {
    try expect(
      "zsh", arguments: ["-f", "-c", CompletionTests.zshSession, "zsh", folder, line], line: line,
      offered: offered, missing: missing)
  }

  /// Types a line and a tab in an interactive zsh, and prints the words that it offers.
  ///
  /// What is typed may be echoed until `stty` has run, so it does not hold the marks that are waited for.
  private static let zshSession = #"""
    zmodload zsh/zpty
    zpty session zsh -f -i
    setup=(
      "PROMPT= RPROMPT=; stty -echo; fpath=('$1' \$fpath); autoload -U compinit; compinit -u -D"
      "zstyle ':completion:*' verbose no; LISTMAX=0"
      'compadd() { local -a found; if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)* ]]; then builtin compadd "$@"; return; fi
        builtin compadd -O found "$@"; print -rl -- "<"${^found}">"; builtin compadd "$@" }'
      'finish() { print -r -- "<e""nd>"; exit }; zle -N finish; bindkey "^X" finish; bindkey "^I" complete-word'
      'print -r -- "<be""gin>"'
    )
    for text in $setup; do zpty -w session $text; done
    zpty -r session ignored '*<begin>*'
    zpty -w -n session "$2"$'\t\x18'
    zpty -r session found '*<end>*'
    print -r -- $found | sed -n 's/.*<\(.*\)>.*/\1/p'
    """#

  private static func has(_ shell: String) -> Bool {
    (try? ChildProcess.run("sh", ["-c", "command -v \(shell)"]).status) == 0
  }

  private func expect(
    _ shell: String, arguments: [String], line: String, offered: [String], missing: [String]
  ) throws {
    let path = "\(scratch.path)/bin:" + (Environment.value("PATH") ?? "")
    let outcome = try ChildProcess.run(
      shell, arguments, environment: ["PATH": path, "HOME": scratch.path, "LC_ALL": "C.UTF-8"], timeout: 60)
    let found = Set(outcome.output.split(separator: "\n").map { $0.split(separator: "\r").joined() })
    for word in offered { #expect(found.contains(word), "\(line): \(outcome)") }
    for word in missing { #expect(!found.contains(word), "\(line): \(outcome)") }
    // What a publisher names a package is no command.
    #expect(try !scratch.exists("bin/evil.done"), "\(line)")
    // Nothing is asked for that would change the store.
    let calls = try scratch.exists("bin/tinyupdater.log") ? scratch.read("bin/tinyupdater.log") : []
    for call in String(decoding: calls, as: UTF8.self).split(separator: "\n") {
      let isHarmless = ["status", "list --tree", "groups"].contains { call.hasSuffix("--json \($0)") }
      #expect(isHarmless, "\(call)")
      if line.contains("--root /store") { #expect(call.hasPrefix("--root /store "), "\(call)") }
    }
  }
}
