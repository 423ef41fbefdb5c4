import Foundation

/// Reads one schema's keywords; each is a fault of the document when it has another form than it must have.
struct SchemaReader {
    let members: [String: JSONTree]
    let pointer: String

    private func fault(_ keyword: String, _ what: String) -> DocumentFault {
        DocumentFault("\(pointer)\(pointerToken(keyword)): \(what)")
    }

    func reference() throws -> String? {
        guard let value = members["$ref"] else { return nil }
        let start = "#/components/schemas/"
        guard let text = value.text, text.hasPrefix(start) else { throw fault("$ref", "must begin with \(start)") }
        return String(text.dropFirst(start.count))
    }

    func kinds() throws -> Set<JSONSchema.Kind> {
        guard let value = members["type"] else { return [] }
        let names = value.text.map { [$0] } ?? value.elements?.compactMap(\.text) ?? []
        let kinds = names.compactMap(JSONSchema.Kind.init(rawValue:))
        guard !kinds.isEmpty, kinds.count == names.count else { throw fault("type", "is no type") }
        return Set(kinds)
    }

    func properties() throws -> [String: JSONSchema] {
        guard let value = members["properties"] else { return [:] }
        guard let named = value.members else { throw fault("properties", "must be an object") }
        var properties: [String: JSONSchema] = [:]
        for (name, schema) in named {
            properties[name] = try JSONSchema(schema, at: "\(pointer)/properties\(pointerToken(name))")
        }
        return properties
    }

    func texts(_ keyword: String) throws -> [String] {
        guard let value = members[keyword] else { return [] }
        guard let elements = value.elements else { throw fault(keyword, "must be a list") }
        let texts = elements.compactMap(\.text)
        guard texts.count == elements.count else { throw fault(keyword, "must be a list of texts") }
        return texts
    }

    func others() throws -> JSONSchema.Others {
        switch members["additionalProperties"] {
        case nil: .unsaid
        case .boolean(true): .any
        case .boolean(false): .none
        case .some(let schema): try .each(JSONSchema(schema, at: "\(pointer)/additionalProperties"))
        }
    }

    func schema(_ keyword: String) throws -> JSONSchema? {
        guard let value = members[keyword] else { return nil }
        return try JSONSchema(value, at: pointer + pointerToken(keyword))
    }

    func schemas(_ keyword: String) throws -> [JSONSchema] {
        guard let value = members[keyword] else { return [] }
        guard let elements = value.elements, !elements.isEmpty else { throw fault(keyword, "must be a list") }
        var schemas: [JSONSchema] = []
        for (index, element) in elements.enumerated() {
            schemas.append(try JSONSchema(element, at: "\(pointer)\(pointerToken(keyword))/\(index)"))
        }
        return schemas
    }

    func choices() throws -> [JSONTree]? {
        for keyword in ["enum", "x-extensible-enum"] {
            guard let value = members[keyword] else { continue }
            guard let choices = value.elements, !choices.isEmpty else { throw fault(keyword, "must be a list") }
            return choices
        }
        return nil
    }

    func format() throws -> SchemaFormat? {
        guard let value = members["format"] else { return nil }
        guard let format = value.text.flatMap(SchemaFormat.init(rawValue:)) else {
            throw fault("format", "this format is not known")
        }
        return format
    }

    func pattern() throws -> String? {
        guard let value = members["pattern"] else { return nil }
        guard let text = value.text else { throw fault("pattern", "must be a text") }
        do {
            _ = try Regex(text)
        } catch {
            throw fault("pattern", "is no regular expression: \(error)")
        }
        return text
    }

    func bounds(_ keywords: Set<String>) throws -> [String: Double] {
        var bounds: [String: Double] = [:]
        for (keyword, value) in members where keywords.contains(keyword) {
            guard let number = value.double else { throw fault(keyword, "must be a number") }
            bounds[keyword] = number
        }
        return bounds
    }

    func flag(_ keyword: String) throws -> Bool {
        switch members[keyword] {
        case nil, .boolean(false): false
        case .boolean(true): true
        case .some: throw fault(keyword, "must be true or false")
        }
    }
}
