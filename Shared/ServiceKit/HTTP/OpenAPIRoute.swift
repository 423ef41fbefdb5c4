public import Hummingbird

extension Router where Context == SeraiRequestContext {
    /// Serves the service's OpenAPI document at `/<service>/openapi.yaml`, for everybody.
    public func addOpenAPI(service: String, document: [UInt8]) {
        get("\(service)/openapi.yaml") { _, _ in
            Response.cached(document, type: "application/yaml", cache: "public, no-cache")
        }
    }
}
