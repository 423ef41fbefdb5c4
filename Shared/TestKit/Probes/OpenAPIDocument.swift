import Yams

/// What an OpenAPI document says that a service can do, to be held against its routes.
public struct OpenAPIDocument: Sendable {
    public struct ParseError: Error, CustomStringConvertible {
        public let description: String
    }

    /// `GET /wallet/v1/cards/{card}`, with the document's own names of parameters.
    public let operations: Set<String>
    /// What an editor of the document forgot: operations without an id, answers or words, ids used twice.
    public let faults: [String]

    private static let methods: Set = ["get", "put", "post", "delete", "patch", "head", "options"]

    public init(yaml: String) throws {
        guard let root = try Yams.load(yaml: yaml) as? [String: Any], let version = root["openapi"] as? String,
            version.hasPrefix("3.1"), let paths = root["paths"] as? [String: Any]
        else { throw ParseError(description: "not an OpenAPI 3.1 document") }
        var operations: Set<String> = []
        var faults: [String] = []
        var ids: Set<String> = []
        for (path, item) in paths {
            guard let item = item as? [String: Any] else { throw ParseError(description: "\(path) is no path item") }
            for (method, operation) in item where Self.methods.contains(method) {
                let name = "\(method.uppercased()) \(path)"
                operations.insert(name)
                let operation = operation as? [String: Any] ?? [:]
                if (operation["summary"] as? String ?? "").isEmpty { faults.append("\(name) has no summary") }
                if (operation["responses"] as? [AnyHashable: Any] ?? [:]).isEmpty {
                    faults.append("\(name) has no responses")
                }
                guard let id = operation["operationId"] as? String else {
                    faults.append("\(name) has no operationId")
                    continue
                }
                if !ids.insert(id).inserted { faults.append("the operationId \(id) is used twice") }
            }
        }
        self.operations = operations
        self.faults = faults.sorted()
    }
}
