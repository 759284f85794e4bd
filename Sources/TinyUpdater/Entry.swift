/// The process entry point, in both builds: SwiftPM makes this symbol `main`, and so does `cross/start.c`.
@c(TinyUpdater_main)
public func entry(argc: CInt, argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
  0
}
