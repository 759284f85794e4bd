internal import ArgumentParser
internal import Publisher

extension ComponentForm: ExpressibleByArgument {}
