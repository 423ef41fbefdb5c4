import Foundation

/// Reads the operations of an OpenAPI document.
struct ContractReader {
    let components: JSONTree

    private static let methods: Set = ["get", "put", "post", "delete", "patch", "head", "options"]

    func operations(_ paths: [String: JSONTree]) throws -> [ContractOperation] {
        var operations: [ContractOperation] = []
        for (path, item) in paths {
            for (method, operation) in item.members ?? [:] where Self.methods.contains(method) {
                operations.append(try self.operation(method, path, operation))
            }
        }
        return operations
    }

    private func operation(_ method: String, _ path: String, _ tree: JSONTree) throws -> ContractOperation {
        let pointer = "/paths\(pointerToken(path))/\(method)"
        var answers: [String: [ContractMedia]] = [:]
        var located: Set<String> = []
        for (status, answer) in tree["responses"]?.members ?? [:] {
            let place = "\(pointer)/responses/\(status)"
            let described = try target(answer, in: "responses", place)
            answers[status] = try content(of: described, place)
            if described["headers"]?["Location"] != nil { located.insert(status) }
        }
        guard !answers.isEmpty else { throw DocumentFault("\(pointer): has no responses") }
        var request: ContractOperation.Request?
        if let body = tree["requestBody"] {
            let place = "\(pointer)/requestBody"
            let described = try target(body, in: "requestBodies", place)
            request = ContractOperation.Request(
                isRequired: described["required"] == .boolean(true), content: try content(of: described, place))
        }
        return ContractOperation(
            method: method.uppercased(),
            parts: path.split(separator: "/", omittingEmptySubsequences: false).map(String.init), request: request,
            answers: answers, located: located)
    }

    /// What a reference to one of the components points to, or the value itself.
    private func target(_ tree: JSONTree, in group: String, _ pointer: String) throws -> JSONTree {
        guard let reference = tree["$ref"] else { return tree }
        let start = "#/components/\(group)/"
        guard let text = reference.text, text.hasPrefix(start),
            let target = components[group]?[String(text.dropFirst(start.count))]
        else { throw DocumentFault("\(pointer): refers to nothing") }
        return target
    }

    private func content(of tree: JSONTree, _ pointer: String) throws -> [ContractMedia] {
        var media: [ContractMedia] = []
        for (type, value) in tree["content"]?.members ?? [:] {
            let place = "\(pointer)/content\(pointerToken(type))/schema"
            let schema = try value["schema"].map { try JSONSchema($0, at: place) }
            media.append(ContractMedia(type: type.lowercased(), schema: schema))
        }
        return media.sorted { $0.type > $1.type }
    }
}
