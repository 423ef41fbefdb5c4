import Configuration
import Foundation

/// A source of values: the flags, the environment or the JSON file.
struct ConfigurationSource {
    enum Text: Equatable {
        case absent
        case found(String)
        case unparsable
    }

    /// For error messages: `--http-port`, `SERAI_HTTP_PORT`, `http.port in serai.json`.
    let describe: (AnyConfigurationKey) -> String
    private let prefix: [String]
    private let snapshot: any ConfigSnapshot

    static func flags(_ arguments: [String]) -> ConfigurationSource {
        let provider = CommandLineArgumentsProvider(arguments: ["service"] + arguments)
        return ConfigurationSource(describe: \.flag, prefix: [], snapshot: provider.snapshot())
    }

    static func environment(_ variables: [String: String]) -> ConfigurationSource {
        let provider = EnvironmentVariablesProvider(environmentVariables: variables)
        return ConfigurationSource(describe: \.environmentVariable, prefix: ["serai"], snapshot: provider.snapshot())
    }

    /// - Throws: when the text is not a JSON object.
    static func file(path: String, contents: Data) throws -> ConfigurationSource {
        let snapshot = try JSONSnapshot(data: contents.bytes, providerName: path, parsingOptions: .default)
        return ConfigurationSource(describe: { "\($0.name) in \(path)" }, prefix: [], snapshot: snapshot)
    }

    /// The value as text. Flags are split at commas and files have numbers, so several types are tried in turn.
    func text(of key: AnyConfigurationKey) -> Text {
        let absolute = AbsoluteConfigKey(prefix + key.name.split(separator: ".").map(String.init))
        var isPresent = false
        for type in [ConfigType.string, .int, .double, .bool, .stringArray, .intArray] {
            do {
                guard let content = try snapshot.value(forKey: absolute, type: type).value?.content else {
                    return .absent
                }
                if let text = Self.text(content) { return .found(text) }
                isPresent = true
            } catch {
                // The value exists in another type: the next one may fit.
                isPresent = true
            }
        }
        return isPresent ? .unparsable : .absent
    }

    private static func text(_ content: ConfigContent) -> String? {
        switch content {
        case .string(let value): value
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .bool(let value): String(value)
        case .stringArray(let values): values.joined(separator: ",")
        case .intArray(let values): values.map(String.init).joined(separator: ",")
        default: nil
        }
    }
}
