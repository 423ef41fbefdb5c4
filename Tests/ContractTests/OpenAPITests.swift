import Testing

/// What clients of all five services build on. What one document says of its own routes is tested beside the service.
@Suite("The OpenAPI documents of the five services")
struct OpenAPITests {
    private let documents: OpenAPIDocuments

    init() throws {
        documents = try OpenAPIDocuments()
    }

    @Test("P11: an operation's id is its own in all five documents, so that one client can hold all of them")
    func ids() {
        let operations = documents.operations
        #expect(operations.count > 300)
        for (id, same) in Dictionary(grouping: operations, by: \.id).sorted(by: { $0.key < $1.key })
        where same.count > 1 || id.isEmpty {
            Issue.record("the operationId \(id) is of \(same.map(\.name).joined(separator: " and "))")
        }
    }

    @Test("P11: each operation has one tag, which its document lists and describes")
    func tags() {
        for service in OpenAPIDocuments.services {
            let listed = documents.roots[service]?["tags"] as? [[String: Any]] ?? []
            for tag in listed { #expect(tag["description"] is String, "\(service): \(tag)") }
            let names = listed.compactMap { $0["name"] as? String }
            let operations = documents.operations.filter { $0.service == service }
            for operation in operations { #expect(operation.tags.count == 1, "\(operation.name)") }
            #expect(Set(names) == Set(operations.flatMap(\.tags)), "\(service)")
            #expect(Set(names).count == names.count, "\(service)")
        }
    }

    @Test("P11: the bearer token has one name in all documents")
    func bearer() {
        for service in OpenAPIDocuments.services {
            let schemes = documents.components("securitySchemes", of: service)
            let bearers = schemes.filter { ($0.value as? [String: Any])?["scheme"] as? String == "bearer" }
            #expect(Array(bearers.keys) == ["accessToken"], "\(service)")
            let usual = documents.roots[service]?["security"] as? [[String: Any]] ?? []
            #expect(usual.map { Array($0.keys) } == [["accessToken"]], "\(service)")
            #expect(documents.roots[service]?["servers"] is [[String: Any]], "\(service)")
        }
    }

    @Test(
        "P11: what two documents have by one name is the same in both",
        arguments: ["schemas", "parameters", "headers", "securitySchemes"])
    func shared(group: String) {
        var seen: [String: (service: String, text: String)] = [:]
        for service in OpenAPIDocuments.services {
            for (name, component) in documents.components(group, of: service) {
                let text = OpenAPIDocuments.text(component)
                if let other = seen[name] {
                    #expect(other.text == text, "\(group)/\(name) of \(other.service) and \(service)")
                } else {
                    seen[name] = (service, text)
                }
            }
        }
    }

    @Test("P10, P11: every document has the same problem, and a page goes on by the same cursor")
    func everywhere() {
        for service in OpenAPIDocuments.services {
            let schemas = documents.components("schemas", of: service)
            for name in ["Problem", "FieldProblem", "Cursor"] { #expect(schemas[name] != nil, "\(service): \(name)") }
        }
    }

    @Test("P11: no list of words in an answer is closed, so that a client takes a word that it does not know")
    func openWords() {
        for service in OpenAPIDocuments.services {
            var asked: Set<String> = []
            var answered: [(pointer: String, object: [String: Any])] = []
            for operation in documents.operations where operation.service == service {
                answered += documents.objects(below: operation.body["responses"], of: service, at: operation.name)
                let (body, item) = (operation.body, operation.pathItem)
                for part in [body["requestBody"], body["parameters"], item["parameters"]] {
                    asked.formUnion(documents.objects(below: part, of: service, at: operation.name).map(\.pointer))
                }
            }
            // Those of events, which no operation names, are answers, too.
            for (name, schema) in documents.components("schemas", of: service) {
                let pointer = "#/components/schemas/\(name)"
                guard !asked.contains(pointer) else { continue }
                answered += documents.objects(below: schema, of: service, at: pointer)
            }
            let closed = answered.filter { $0.object["enum"] is [Any] || $0.object["const"] is String }
            for pointer in Set(closed.map(\.pointer)).sorted() { Issue.record("\(service): \(pointer) is closed") }
            for (pointer, list) in answered where list["x-extensible-enum"] != nil {
                #expect(list["type"] as? String == "string", "\(service): \(pointer)")
            }
        }
    }

    @Test("P11: an upload is bytes of no said kind, which is what generators of clients send")
    func uploads() {
        let bodies = documents.operations.compactMap { operation -> (String, [String: Any])? in
            let content = (operation.body["requestBody"] as? [String: Any])?["content"] as? [String: Any]
            return content.map { (operation.name, $0) }
        }
        #expect(bodies.count { $0.1["application/octet-stream"] != nil } == 6)
        for (name, content) in bodies {
            #expect(content.count == 1, "\(name)")
            #expect(["application/json", "application/octet-stream"].contains(content.keys.first), "\(name)")
        }
    }

    @Test("P7, P11: each operation but the documents' own says that it reads the language")
    func languages() {
        for operation in documents.operations where operation.name.contains("/v1/") {
            #expect(documents.headers(of: operation).contains("Accept-Language"), "\(operation.name)")
        }
    }

    @Test("P10: every reference in a document points to something")
    func references() {
        for service in OpenAPIDocuments.services {
            for (pointer, object) in documents.objects(below: documents.roots[service], of: service, at: "") {
                guard let reference = object["$ref"] as? String else { continue }
                #expect(documents.target(reference, in: service) != nil, "\(service): \(pointer) \(reference)")
            }
        }
    }
}
