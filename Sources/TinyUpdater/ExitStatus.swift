internal import Updater

/// How the program ends: with the code that the store's records have for it.
typealias ExitStatus = ResultCode
