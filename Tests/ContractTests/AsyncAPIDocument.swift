import Foundation
import Yams

/// An AsyncAPI 3 document, as far as messages are held against it: channels, payloads and their schemas.
struct AsyncAPIDocument {
    typealias Schema = [String: Any]

    struct NotADocument: Error {}

    struct Field {
        let path: [String]
        let isRequired: Bool
    }

    let channels: [String: Schema]
    private let root: Schema

    init(yaml: String) throws {
        guard let root = try Yams.load(yaml: yaml) as? Schema, root["asyncapi"] as? String == "3.0.0",
            let channels = root["channels"] as? [String: Schema]
        else { throw NotADocument() }
        self.root = root
        self.channels = channels
    }

    /// What a reference such as `#/components/schemas/Money` points to, or the value itself.
    private func resolve(_ value: Any?) -> Schema? {
        guard let schema = value as? Schema else { return nil }
        guard let reference = schema["$ref"] as? String else { return schema }
        // Names of channels have dots, never slashes.
        let place = reference.split(separator: "/").dropFirst().reduce(root as Any?) { place, name in
            resolve(place)?[String(name)]
        }
        return resolve(place)
    }

    // MARK: Channels

    private func message(of channel: String) -> Schema? {
        guard let messages = channels[channel]?["messages"] as? Schema, messages.count == 1 else { return nil }
        return resolve(messages.values.first)
    }

    /// The schema of the one message of a channel whose name is the channel's.
    func payload(of channel: String) -> Schema? {
        guard let message = message(of: channel), message["name"] as? String == channel else { return nil }
        return resolve(message["payload"])
    }

    func exchange(of channel: String) -> String? {
        let amqp = resolve(resolve(channels[channel]?["bindings"])?["amqp"])
        return (amqp?["exchange"] as? Schema)?["name"] as? String
    }

    /// Which service sends on which channel.
    var sends: [(service: String, channel: String)] { operations("send") }

    /// Which service is asked on which channel.
    var receives: [(service: String, channel: String)] { operations("receive") }

    private func operations(_ action: String) -> [(service: String, channel: String)] {
        (root["operations"] as? [String: Schema] ?? [:]).values.compactMap { operation in
            guard operation["action"] as? String == action,
                let channel = (operation["channel"] as? Schema)?["$ref"] as? String,
                let tag = (operation["tags"] as? [Schema])?.first?["name"] as? String
            else { return nil }
            return (tag, channel.replacing("#/channels/", with: ""))
        }
    }

    func choices(_ name: String, field: String? = nil) -> [String] {
        var schema = resolve(["$ref": "#/components/schemas/\(name)"])
        if let field { schema = resolve((schema?["properties"] as? Schema)?[field]) }
        return schema?["enum"] as? [String] ?? []
    }

    // MARK: Values

    /// Where a JSON value is not what its schema says, sorted.
    func faults(of value: Any, by schema: Schema) -> [String] { check(value, schema, at: "").sorted() }

    private func check(_ value: Any, _ schema: Schema, at place: String) -> [String] {
        switch schema["type"] as? String {
        case "object": return checkObject(value, schema, at: place)
        case "array":
            guard let values = value as? [Any], let items = resolve(schema["items"]) else {
                return ["\(place) is no array"]
            }
            return values.enumerated().flatMap { check($0.element, items, at: "\(place)/\($0.offset)") }
        case "string":
            guard let text = value as? String else { return ["\(place) is no string"] }
            return checkText(text, schema, at: place)
        case "integer":
            guard let number = value as? Int else { return ["\(place) is no integer"] }
            return checkRange(Double(number), schema, at: place)
        case "number":
            guard let number = value as? Double else { return ["\(place) is no number"] }
            return checkRange(number, schema, at: place)
        case "boolean": return value is Bool ? [] : ["\(place) is no boolean"]
        default: return ["\(place) has no type"]
        }
    }

    private func checkObject(_ value: Any, _ schema: Schema, at place: String) -> [String] {
        guard let members = value as? Schema else { return ["\(place) is no object"] }
        let properties = schema["properties"] as? Schema ?? [:]
        let others = resolve(schema["additionalProperties"])
        let missing = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }
        return missing.map { "\(place)/\($0) is required" }
            + members.flatMap { name, member in
                guard let property = resolve(properties[name]) ?? others else {
                    return ["\(place)/\(name) is not described"]
                }
                return check(member, property, at: "\(place)/\(name)")
            }
    }

    private func checkText(_ text: String, _ schema: Schema, at place: String) -> [String] {
        if let choices = schema["enum"] as? [String], !choices.contains(text) {
            return ["\(place) is none of its choices"]
        }
        switch schema["format"] as? String {
        case "uuid" where UUID(uuidString: text) == nil: return ["\(place) is no uuid"]
        case "date-time" where text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) == nil:
            return ["\(place) is no date-time"]
        default: return []
        }
    }

    private func checkRange(_ number: Double, _ schema: Schema, at place: String) -> [String] {
        let minimum = (schema["minimum"] as? Int).map(Double.init) ?? -.infinity
        let maximum = (schema["maximum"] as? Int).map(Double.init) ?? .infinity
        return minimum <= number && number <= maximum ? [] : ["\(place) is out of its range"]
    }

    // MARK: Fields

    /// Every field of the value that the schema describes, at any depth; of lists the first element's.
    func fields(of value: Any, by schema: Schema) -> [Field] {
        if let values = value as? [Any], let first = values.first, let items = resolve(schema["items"]) {
            return fields(of: first, by: items).map { Field(path: ["0"] + $0.path, isRequired: $0.isRequired) }
        }
        guard let members = value as? Schema, let properties = schema["properties"] as? Schema else { return [] }
        let required = Set(schema["required"] as? [String] ?? [])
        return members.flatMap { name, member -> [Field] in
            guard let property = resolve(properties[name]) else { return [] }
            return [Field(path: [name], isRequired: required.contains(name))]
                + fields(of: member, by: property).map { Field(path: [name] + $0.path, isRequired: $0.isRequired) }
        }
    }

    /// The value without one field.
    static func removing(_ path: [String], from value: Any) -> Any {
        guard let name = path.first else { return value }
        if var values = value as? [Any], let index = Int(name), values.indices.contains(index) {
            values[index] = removing(Array(path.dropFirst()), from: values[index])
            return values
        }
        guard var members = value as? Schema, let member = members[name] else { return value }
        members[name] = path.count == 1 ? nil : removing(Array(path.dropFirst()), from: member)
        return members
    }
}
