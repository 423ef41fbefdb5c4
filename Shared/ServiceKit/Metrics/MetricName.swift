/// Names in the form that Prometheus allows (https://prometheus.io/docs/concepts/data_model/).
enum MetricName {
    /// `http.server.requests` → `http_server_requests`: every character except ASCII letters, digits, `_` and `:`
    /// becomes `_`.
    static func metric(_ label: String) -> String { sanitized(label, allowsColon: true) }

    static func label(_ name: String) -> String {
        let clean = sanitized(name, allowsColon: false)
        // Two leading underscores are reserved for Prometheus.
        return clean.hasPrefix("__") ? "x" + clean : clean
    }

    private static func sanitized(_ text: String, allowsColon: Bool) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 1)
        for scalar in text.unicodeScalars {
            let isGood =
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_": true
                case ":": allowsColon
                default: false
                }
            result.unicodeScalars.append(isGood ? scalar : "_")
        }
        guard let first = result.unicodeScalars.first else { return "_" }
        return ("0"..."9").contains(first) ? "_" + result : result
    }
}

/// The labels of one time series, sorted by name, without duplicates.
struct MetricLabels: Hashable, Sendable {
    static let maximumValueBytes = 256

    let pairs: [Pair]

    struct Pair: Hashable, Sendable {
        let name: String
        let value: String
    }

    init(_ dimensions: [(String, String)], isHistogram: Bool) {
        var values: [String: String] = [:]
        for (name, value) in dimensions {
            let clean = MetricName.label(name)
            // `le` is the bucket's own label.
            values[isHistogram && clean == "le" ? "exported_le" : clean] = Self.cut(value)
        }
        pairs = values.sorted { $0.key < $1.key }.map { Pair(name: $0.key, value: $0.value) }
    }

    /// The labels for further series of a family that has too many.
    static let overflow = MetricLabels([("overflow", "true")], isHistogram: false)

    /// `{name="value",…}`, or nothing without labels.
    func text(adding extra: (name: String, value: String)? = nil) -> String {
        var parts = pairs.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
        if let extra { parts.append("\(extra.name)=\"\(extra.value)\"") }
        return parts.isEmpty ? "" : "{" + parts.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x5c || $0 == 0x22 || $0 == 0x0a }) else { return value }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func cut(_ value: String) -> String {
        value.utf8.count <= maximumValueBytes
            ? value : String(decoding: value.utf8.prefix(maximumValueBytes), as: UTF8.self)
    }
}
