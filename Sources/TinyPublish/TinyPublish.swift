internal import ArgumentParser

@main
struct TinyPublish: ParsableCommand {
}
