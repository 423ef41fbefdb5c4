import Foundation

/// A schema (JSON Schema 2020-12) with the keywords that the services' documents use. Any other keyword or format is
/// refused when the document is read, so nothing that it says stays unchecked.
final class JSONSchema: Sendable {
    enum Kind: String, Sendable, Hashable {
        case null, boolean, integer, number, string, array, object
    }

    /// What members may be there besides the properties.
    enum Others: Sendable {
        case unsaid
        case any
        case none
        case each(JSONSchema)
    }

    /// The name under `components/schemas`.
    let reference: String?
    /// Empty: any.
    let kinds: Set<Kind>
    let properties: [String: JSONSchema]
    let hasProperties: Bool
    let required: [String]
    let others: Others
    let items: JSONSchema?
    /// Of `enum`, or of `x-extensible-enum`: a client must expect other words there, but a service of this version answers with
    /// none that its document does not name.
    let choices: [JSONTree]?
    let constant: JSONTree?
    let format: SchemaFormat?
    let pattern: String?
    /// By keyword: `minimum`, `maxLength` and the like.
    let bounds: [String: Double]
    let hasUniqueItems: Bool
    let allOf: [JSONSchema]
    let anyOf: [JSONSchema]
    let oneOf: [JSONSchema]

    /// They are for readers.
    private static let notes: Set = [
        "description", "title", "examples", "default", "deprecated", "readOnly", "writeOnly", "contentMediaType",
        "contentEncoding", "$comment",
    ]
    private static let boundKeywords: Set = [
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
        "minItems", "maxItems", "minProperties", "maxProperties",
    ]
    private static let keywords: Set = [
        "$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "x-extensible-enum", "const",
        "format", "pattern", "uniqueItems", "allOf", "anyOf", "oneOf",
    ]
    private static let known = notes.union(boundKeywords).union(keywords)

    /// - Parameter pointer: where it stands, for the fault.
    /// - Throws: ``DocumentFault``.
    init(_ tree: JSONTree, at pointer: String) throws {
        guard let members = tree.members else { throw DocumentFault("\(pointer): a schema must be an object") }
        for name in members.keys.sorted() where !JSONSchema.known.contains(name) {
            throw DocumentFault("\(pointer)\(pointerToken(name)): this keyword is not known")
        }
        let reader = SchemaReader(members: members, pointer: pointer)
        reference = try reader.reference()
        kinds = try reader.kinds()
        properties = try reader.properties()
        hasProperties = members["properties"] != nil
        required = try reader.texts("required")
        others = try reader.others()
        items = try reader.schema("items")
        choices = try reader.choices()
        constant = members["const"]
        format = try reader.format()
        pattern = try reader.pattern()
        bounds = try reader.bounds(JSONSchema.boundKeywords)
        hasUniqueItems = try reader.flag("uniqueItems")
        allOf = try reader.schemas("allOf")
        anyOf = try reader.schemas("anyOf")
        oneOf = try reader.schemas("oneOf")
    }

    /// All names that it refers to, at any depth.
    var references: Set<String> {
        var found: Set<String> = []
        if let reference { found.insert(reference) }
        var parts = Array(properties.values) + allOf + anyOf + oneOf
        if let items { parts.append(items) }
        if case .each(let schema) = others { parts.append(schema) }
        for part in parts { found.formUnion(part.references) }
        return found
    }
}
