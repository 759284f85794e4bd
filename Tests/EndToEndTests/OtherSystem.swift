import Glibc
import Platform
import TestSupport
import Testing

/// A directory for PATH with some of this machine's tools, as on a distribution that has no other ones.
struct OtherSystem {
  let path: String

  /// What the scripts use on any distribution.
  private static let tools = [
    "awk", "basename", "bash", "bzip2", "cat", "cp", "curl", "cut", "date", "dirname", "echo", "env", "find",
    "flock", "grep", "gzip", "head", "ln", "ls", "mkdir", "mv", "patch", "readlink", "rm", "sed", "sh",
    "sha256sum", "sort", "tail", "tar", "touch", "tr", "uname", "uniq", "xargs", "xz",
  ]

  /// Makes the directory `name` in `scratch`; `scripts` are tools of its own, by name.
  init(_ name: String, in scratch: Scratch, scripts: [String: String] = [:]) throws {
    path = "\(scratch.path)/\(name)"
    try Directory(opening: scratch.path).makeDirectory(name)
    for tool in OtherSystem.tools {
      // A tool may be built into the shell, too.
      try Programs.run("bash", "-c", "ln -s \"$(type -P \(tool))\" \(path)/\(tool)")
    }
    for (tool, text) in scripts {
      try scratch.write("\(name)/\(tool)", "#!/bin/sh\n\(text)\n")
      try #require(chmod("\(path)/\(tool)", 0o755) == 0)
    }
  }
}
