public import Foundation
import SeraiJSON

/// The configuration of a service, read once at the start.
///
/// A value comes from the first of: flag, environment variable, JSON file (`--config FILE` or `SERAI_CONFIG`), default.
/// Reading reports all errors together; a service with a wrong configuration does not start.
public struct ServiceConfiguration: Sendable {
    /// The source of a value.
    public enum Origin: Sendable, Equatable {
        case flag, environment, file, defaultValue, absent
    }

    struct Entry: Sendable {
        let key: AnyConfigurationKey
        let value: any Sendable
        /// Nil when the value is nil. Secrets have `[redacted]`.
        let text: String?
        let origin: Origin
    }

    let entries: [Entry]
    private let values: [String: any Sendable]

    /// Reads all keys.
    ///
    /// - Parameters:
    ///   - arguments: the flags, without the program's name and the subcommand.
    ///   - readFile: reads the JSON file.
    ///   - needed: a required key for which this is false may be missing; reading it then throws.
    /// - Throws: ``ConfigurationError`` with all errors.
    public init(
        keys: [AnyConfigurationKey], arguments: [String], environment: [String: String],
        readFile: (String) throws -> Data = { try Data(contentsOf: URL(fileURLWithPath: $0)) },
        needed: (AnyConfigurationKey) -> Bool = { _ in true }
    ) throws(ConfigurationError) {
        let flags = ConfigurationArguments(arguments, keys: keys)
        var problems = flags.problems
        var sources: [(Origin, ConfigurationSource)] = [
            (.flag, .flags(arguments)), (.environment, .environment(environment)),
        ]
        if let path = flags.filePath ?? environment["SERAI_CONFIG"] {
            do {
                let contents = try readFile(path)
                sources.append((.file, try .file(path: path, contents: contents)))
                problems += try Self.unknownKeys(in: contents, path: path, keys: keys)
            } catch {
                problems.append(.unreadableFile(path: path, reason: Self.reason(error)))
            }
        }
        var entries: [Entry] = []
        for key in keys {
            switch Self.read(key, from: sources) {
            case .success(let entry): entries.append(entry)
            case .failure(let error): problems += error.problems.filter { !$0.isMissing || needed(key) }
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        self.entries = entries
        self.values = Dictionary(entries.map { ($0.key.name, $0.value) }) { first, _ in first }
    }

    /// The value of a declared key.
    ///
    /// - Throws: ``ConfigurationError/Problem/undeclared(key:)`` when the service did not declare it.
    public subscript<Value>(key: ConfigurationKey<Value>) -> Value {
        get throws(ConfigurationError) {
            guard let stored = values[key.name], let value = stored as? Value else {
                throw ConfigurationError(problems: [.undeclared(key: key.name)])
            }
            return value
        }
    }

    private static func read(
        _ key: AnyConfigurationKey, from sources: [(Origin, ConfigurationSource)]
    ) -> Result<Entry, ConfigurationError> {
        for (origin, source) in sources {
            let place = source.describe(key)
            switch source.text(of: key) {
            case .absent: continue
            case .unparsable:
                return .failure(
                    .init(problems: [
                        .unparsable(key: key.name, source: place, value: nil, expected: key.demand)
                    ]))
            case .found(let text):
                // A secret's wrong value is still a secret.
                let shown = key.isSecret ? nil : text
                // `--flag` alone arrives as an empty list, which only a switch understands.
                switch key.read(key.isSwitch && text.isEmpty && origin == .flag ? "true" : text) {
                case .value(let value, let text):
                    return .success(Entry(key: key, value: value, text: text, origin: origin))
                case .unparsable:
                    return .failure(
                        .init(problems: [
                            .unparsable(key: key.name, source: place, value: shown, expected: key.demand)
                        ]))
                case .notAllowed:
                    return .failure(
                        .init(problems: [
                            .notAllowed(key: key.name, source: place, value: shown, range: key.range ?? key.expected)
                        ]))
                }
            }
        }
        guard let value = key.defaultValue else {
            return .failure(
                .init(problems: [
                    .missing(key: key.name, flag: key.flag, environmentVariable: key.environmentVariable)
                ]))
        }
        let origin: Origin = key.defaultText == nil ? .absent : .defaultValue
        return .success(Entry(key: key, value: value, text: key.defaultText, origin: origin))
    }

    private static func unknownKeys(
        in contents: Data, path: String, keys: [AnyConfigurationKey]
    ) throws -> [ConfigurationError.Problem] {
        let known = Set(keys.map(\.name))
        var found: [String] = []
        func collect(_ value: JSONValue, _ name: [String]) {
            guard case .object(let members) = value else {
                found.append(name.joined(separator: "."))
                return
            }
            for (member, value) in members { collect(value, name + [member]) }
        }
        collect(try JSONValue(parsing: contents), [])
        return found.filter { !known.contains($0) }.sorted().map { .unknownKeyInFile(path: path, key: $0) }
    }

    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile:
            "it does not exist"
        case let error as CocoaError where error.code == .fileReadNoPermission: "it may not be read"
        case is CocoaError: "it cannot be opened"
        default: "it is not a JSON object"
        }
    }
}
