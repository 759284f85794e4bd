internal import JSONReading
internal import Platform

/// What every service says of itself (varlink.org, "org.varlink.service").
package struct VarlinkService {
  package let vendor: String
  package let product: String
  package let version: String
  package let url: String
  /// The names of interfaces, with their descriptions.
  package let interfaces: [(name: String, description: String)]

  package init(
    vendor: String, product: String, version: String, url: String,
    interfaces: [(name: String, description: String)]
  ) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
    self.interfaces = [(VarlinkService.name, VarlinkService.description)] + interfaces
  }

  /// The name of the interface itself.
  package static var name: String { "org.varlink.service" }

  /// The reply to a method of the interface itself.
  package func reply(to call: VarlinkCall) -> VarlinkReply {
    if call.name.utf8.elementsEqual("GetInfo".utf8) { return info }
    guard call.name.utf8.elementsEqual("GetInterfaceDescription".utf8) else {
      return .methodNotFound(call.method)
    }
    guard let name = call.parameters?.member("interface")?.text else { return .invalidParameter("interface") }
    for interface in interfaces where interface.name.utf8.elementsEqual(name.utf8) {
      var json = JSON()
      json.add("description", interface.description)
      return .parameters(json)
    }
    return .interfaceNotFound(name)
  }

  private var info: VarlinkReply {
    var json = JSON()
    json.add("vendor", vendor)
    json.add("product", product)
    json.add("version", version)
    json.add("url", url)
    json.add("interfaces", interfaces.map { $0.name })
    return .parameters(json)
  }

  private static var description: String {
    """
    # The Varlink Service Interface is provided by every varlink service. It describes the service and the interfaces it
    # implements.
    interface org.varlink.service

    # Get a list of all the interfaces a service provides and information about the implementation.
    method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)

    # Get the description of an interface that is implemented by this service.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The requested interface was not found.
    error InterfaceNotFound (interface: string)

    # The requested method was not found
    error MethodNotFound (method: string)

    # The interface defines the requested method, but the service does not implement it.
    error MethodNotImplemented (method: string)

    # One of the passed parameters is invalid.
    error InvalidParameter (parameter: string)

    # Client is denied access
    error PermissionDenied ()

    # Method is expected to be called with 'more' set to true, but wasn't
    error ExpectedMore ()

    """
  }
}
