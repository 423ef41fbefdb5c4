import Foundation
import Yams

/// The OpenAPI documents of the five services, as far as they are held against each other.
struct OpenAPIDocuments {
    typealias Node = [String: Any]

    struct NotADocument: Error {
        let service: String
    }

    struct Operation {
        let service: String
        /// `GET /wallet/v1/cards`.
        let name: String
        let pathItem: Node
        let body: Node

        var id: String { body["operationId"] as? String ?? "" }
        var tags: [String] { body["tags"] as? [String] ?? [] }
    }

    static let services = ["identity", "dispatch", "wallet", "notifications", "admin"]
    private static let methods: Set = ["get", "put", "post", "delete", "patch", "head", "options"]

    /// By service.
    let roots: [String: Node]

    init() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var roots: [String: Node] = [:]
        for service in Self.services {
            let file = project.appending(path: "Services/\(service.capitalized)/openapi.yaml")
            guard let root = try Yams.load(yaml: try String(contentsOf: file, encoding: .utf8)) as? Node else {
                throw NotADocument(service: service)
            }
            roots[service] = root
        }
        self.roots = roots
    }

    var operations: [Operation] {
        Self.services.flatMap { service -> [Operation] in
            let paths = roots[service]?["paths"] as? [String: Node] ?? [:]
            return paths.sorted { $0.key < $1.key }.flatMap { path, item in
                item.sorted { $0.key < $1.key }.filter { Self.methods.contains($0.key) }.map { method, body in
                    Operation(
                        service: service, name: "\(method.uppercased()) \(path)", pathItem: item,
                        body: body as? Node ?? [:])
                }
            }
        }
    }

    func components(_ group: String, of service: String) -> Node {
        (roots[service]?["components"] as? Node)?[group] as? Node ?? [:]
    }

    /// What a reference of the service's document points to; nil where there is nothing.
    func target(_ reference: String, in service: String) -> Any? {
        reference.split(separator: "/").dropFirst().reduce(roots[service] as Any?) { place, name in
            let key = String(name).replacing("~1", with: "/").replacing("~0", with: "~")
            return (place as? Node)?[key]
        }
    }

    /// Every object at or below a value, also behind references, with the pointer of the way to it.
    func objects(below value: Any?, of service: String, at start: String) -> [(pointer: String, object: Node)] {
        var found: [(pointer: String, object: Node)] = []
        var followed: Set<String> = []
        var waiting: [(String, Any)] = value.map { [(start, $0)] } ?? []
        while let (pointer, next) = waiting.popLast() {
            if let list = next as? [Any] {
                waiting += list.enumerated().map { ("\(pointer)/\($0.offset)", $0.element) }
            } else if let object = next as? Node {
                found.append((pointer, object))
                if let reference = object["$ref"] as? String, followed.insert(reference).inserted {
                    waiting.append((reference, target(reference, in: service) ?? Node()))
                }
                waiting += object.map { ("\(pointer)/\($0.key)", $0.value) }
            }
        }
        return found
    }

    /// The names of an operation's parameters that stand in headers.
    func headers(of operation: Operation) -> [String] {
        let listed = [operation.pathItem, operation.body].flatMap { $0["parameters"] as? [Node] ?? [] }
        return listed.compactMap { parameter -> Node? in
            guard let reference = parameter["$ref"] as? String else { return parameter }
            return target(reference, in: operation.service) as? Node
        }.filter { $0["in"] as? String == "header" }.compactMap { $0["name"] as? String }
    }

    /// A value written so that equal ones are equal texts.
    static func text(_ value: Any) -> String {
        if let object = value as? Node {
            let members = object.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
            return "{\(members.joined(separator: ", "))}"
        }
        if let list = value as? [Any] { return "[\(list.map(text).joined(separator: ", "))]" }
        return "\(value)"
    }
}
