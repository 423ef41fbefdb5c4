import Foundation

/// Holds values against schemas.
///
/// Stricter than the standard in one thing: an object whose schemas say nothing of further members has none, as if
/// `unevaluatedProperties: false` stood beside each. So what is not described shows.
struct SchemaCheck: Sendable {
    /// Those under `components/schemas`.
    let schemas: [String: JSONSchema]

    /// What one schema, and those that it is put together of, say of one value.
    private struct Finding {
        var faults: [String] = []
        /// The members that some schema speaks of.
        var described: Set<String> = []
        /// Whether a schema speaks of objects, and whether one of them allows any member.
        var isOfObjects = false
        var isOpen = false

        mutating func add(_ other: Finding) {
            faults += other.faults
            described.formUnion(other.described)
            isOfObjects = isOfObjects || other.isOfObjects
            isOpen = isOpen || other.isOpen
        }
    }

    /// What is wrong with a value, each with its JSON pointer.
    func faults(of value: JSONTree, by schema: JSONSchema, at pointer: String = "") -> [String] {
        let finding = finding(value, schema, pointer)
        guard case .object(let members) = value, finding.isOfObjects, !finding.isOpen else { return finding.faults }
        let unknown = members.keys.filter { !finding.described.contains($0) }.sorted()
        return finding.faults + unknown.map { Self.fault(pointer + pointerToken($0), "is not described") }
    }

    private static func fault(_ pointer: String, _ what: String) -> String {
        "\(pointer.isEmpty ? "the whole" : pointer) \(what)"
    }

    private func finding(_ value: JSONTree, _ schema: JSONSchema, _ pointer: String) -> Finding {
        var finding = Finding()
        if !schema.kinds.isEmpty {
            guard Self.kinds(of: value).contains(where: schema.kinds.contains) else {
                let names = schema.kinds.map(\.rawValue).sorted().joined(separator: " or ")
                finding.faults.append(Self.fault(pointer, "is no \(names)"))
                return finding
            }
        }
        finding.isOfObjects = schema.kinds.contains(.object) || schema.hasProperties
        if let choices = schema.choices, !choices.contains(value) {
            finding.faults.append(Self.fault(pointer, "is none of its choices: \(Self.short(value))"))
        }
        if let constant = schema.constant, constant != value {
            finding.faults.append(Self.fault(pointer, "is not its constant: \(Self.short(value))"))
        }
        switch value {
        case .string(let text): finding.faults += textFaults(text, schema, pointer)
        case .integer, .number: finding.faults += numberFaults(value.double ?? 0, schema, pointer)
        case .array(let elements): finding.faults += listFaults(elements, schema, pointer)
        case .object(let members): finding.add(objectFinding(members, schema, pointer))
        case .null, .boolean: break
        }
        addParts(to: &finding, value, schema, pointer)
        return finding
    }

    private func addParts(to finding: inout Finding, _ value: JSONTree, _ schema: JSONSchema, _ pointer: String) {
        if let reference = schema.reference {
            if let target = schemas[reference] {
                finding.add(self.finding(value, target, pointer))
            } else {
                finding.faults.append(Self.fault(pointer, "has a schema that is not there: \(reference)"))
            }
        }
        for part in schema.allOf { finding.add(self.finding(value, part, pointer)) }
        for (parts, isExclusive) in [(schema.anyOf, false), (schema.oneOf, true)] where !parts.isEmpty {
            let findings = parts.map { self.finding(value, $0, pointer) }
            let fitting = findings.filter(\.faults.isEmpty)
            for fit in fitting { finding.add(fit) }
            if fitting.isEmpty {
                let reasons = findings.flatMap(\.faults).joined(separator: ", ")
                finding.faults.append(Self.fault(pointer, "fits none of its schemas (\(reasons))"))
            } else if isExclusive, fitting.count > 1 {
                finding.faults.append(Self.fault(pointer, "fits \(fitting.count) of its schemas, of which one should"))
            }
        }
    }

    private static func kinds(of value: JSONTree) -> Set<JSONSchema.Kind> {
        switch value {
        case .null: [.null]
        case .boolean: [.boolean]
        case .integer: [.integer, .number]
        case .number: [.number]
        case .string: [.string]
        case .array: [.array]
        case .object: [.object]
        }
    }

    private static func short(_ value: JSONTree) -> String { String("\(value)".prefix(80)) }

    // MARK: Each kind

    private func textFaults(_ text: String, _ schema: JSONSchema, _ pointer: String) -> [String] {
        var faults: [String] = []
        // The standard counts code points.
        let length = Double(text.unicodeScalars.count)
        if let least = schema.bounds["minLength"], length < least { faults.append("is shorter than \(least)") }
        if let most = schema.bounds["maxLength"], length > most { faults.append("is longer than \(most)") }
        if let format = schema.format, !format.accepts(text) {
            faults.append("is no \(format.rawValue): \(text.prefix(80))")
        }
        // try?: that it is one was seen when the document was read.
        if let pattern = schema.pattern, let regex = try? Regex(pattern), text.firstMatch(of: regex) == nil {
            faults.append("does not match \(pattern): \(text.prefix(80))")
        }
        return faults.map { Self.fault(pointer, $0) }
    }

    private func numberFaults(_ number: Double, _ schema: JSONSchema, _ pointer: String) -> [String] {
        var faults: [String] = []
        if let least = schema.bounds["minimum"], number < least { faults.append("is below \(least): \(number)") }
        if let most = schema.bounds["maximum"], number > most { faults.append("is above \(most): \(number)") }
        if let floor = schema.bounds["exclusiveMinimum"], number <= floor {
            faults.append("is not above \(floor): \(number)")
        }
        if let ceiling = schema.bounds["exclusiveMaximum"], number >= ceiling {
            faults.append("is not below \(ceiling): \(number)")
        }
        if let step = schema.bounds["multipleOf"], number.remainder(dividingBy: step) != 0 {
            faults.append("is no multiple of \(step): \(number)")
        }
        return faults.map { Self.fault(pointer, $0) }
    }

    private func listFaults(_ elements: [JSONTree], _ schema: JSONSchema, _ pointer: String) -> [String] {
        var faults: [String] = []
        let count = Double(elements.count)
        if let least = schema.bounds["minItems"], count < least { faults.append("has fewer than \(least) items") }
        if let most = schema.bounds["maxItems"], count > most { faults.append("has more than \(most) items") }
        if schema.hasUniqueItems {
            let repeated = elements.indices.contains { elements[..<$0].contains(elements[$0]) }
            if repeated { faults.append("has an item twice") }
        }
        var found = faults.map { Self.fault(pointer, $0) }
        if let items = schema.items {
            for (index, element) in elements.enumerated() {
                found += self.faults(of: element, by: items, at: "\(pointer)/\(index)")
            }
        }
        return found
    }

    private func objectFinding(_ members: [String: JSONTree], _ schema: JSONSchema, _ pointer: String) -> Finding {
        var finding = Finding()
        let count = Double(members.count)
        for name in schema.required where members[name] == nil {
            finding.faults.append(Self.fault(pointer + pointerToken(name), "is missing"))
        }
        if let least = schema.bounds["minProperties"], count < least {
            finding.faults.append(Self.fault(pointer, "has fewer than \(least) members"))
        }
        if let most = schema.bounds["maxProperties"], count > most {
            finding.faults.append(Self.fault(pointer, "has more than \(most) members"))
        }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            let place = pointer + pointerToken(name)
            if let property = schema.properties[name] {
                finding.described.insert(name)
                finding.faults += faults(of: member, by: property, at: place)
                continue
            }
            switch schema.others {
            case .unsaid: break
            case .any: finding.isOpen = true
            case .none: finding.faults.append(Self.fault(place, "is not allowed"))
            case .each(let other):
                finding.described.insert(name)
                finding.faults += faults(of: member, by: other, at: place)
            }
        }
        return finding
    }
}
