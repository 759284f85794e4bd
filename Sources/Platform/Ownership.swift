internal import CPlatform

/// Calls `make`, which makes something in `directory`; for root as the user who has the directory (setfsuid(2)).
///
/// So the owner of a store can change everything in it, and give its files other names (`fs.protected_hardlinks`), whoever
/// has run a command on it. Where that user may not make it, root does.
func asOwner(of directory: CInt, _ make: () -> CInt) -> CInt {
  var status = CPlatform.stat()
  guard geteuid() == 0, fstat(directory, &status) == 0, status.st_uid != 0 else { return make() }
  let group = getegid()
  setfsgid(status.st_gid)
  setfsuid(status.st_uid)
  let result = make()
  setfsuid(0)
  setfsgid(group)
  guard result == -1, Errno.last == .notAllowed || Errno.last == .notPermitted else { return result }
  return make()
}
