internal import Platform

/// The exit status of the program: the result code that the store records as well.
typealias ExitStatus = ResultCode
