/// The configuration keys as text for people: `--help`, the table of the operations manual, and the current values.
public struct ConfigurationDocument: Sendable {
    public let keys: [AnyConfigurationKey]

    public init(keys: [AnyConfigurationKey]) {
        self.keys = keys
    }

    /// For a terminal.
    public var help: String {
        let file = """
              --config FILE
                  A JSON file with any of these keys. Environment: SERAI_CONFIG.
            """
        let entries = keys.map { key in
            var facts = ["Environment: \(key.environmentVariable)."]
            if let text = key.defaultText { facts.append("Default: \(key.isSecret ? "[redacted]" : text).") }
            if key.isRequired { facts.append("Required.") }
            if key.isSecret { facts.append("Secret.") }
            return """
                  \(key.flag) VALUE
                      \(key.documentation)
                      Must be \(key.demand). \(facts.joined(separator: " "))
                """
        }
        return ([file] + entries).joined(separator: "\n")
    }

    /// A Markdown table of all keys, in the order of their declaration.
    public var markdown: String {
        let head = """
            | key | flag | environment | must be | default | |
            |---|---|---|---|---|---|
            """
        let rows = keys.map { key in
            let standing = key.isRequired ? "required" : key.defaultText.map { "`\($0)`" } ?? ""
            let text = key.documentation + (key.isSecret ? " Secret." : "")
            let cells = ["`\(key.name)`", "`\(key.flag)`", "`\(key.environmentVariable)`", key.demand, standing, text]
            return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
        return ([head] + rows).joined(separator: "\n") + "\n"
    }

    /// The current values with their sources. Secrets stay hidden.
    public static func values(of configuration: ServiceConfiguration) -> String {
        configuration.entries.map { entry in
            let origin =
                switch entry.origin {
                case .flag: "flag"
                case .environment: "environment"
                case .file: "file"
                case .defaultValue: "default"
                case .absent: "not set"
                }
            return "\(entry.key.name) = \(entry.text ?? "") (\(origin))"
        }.joined(separator: "\n")
    }
}
