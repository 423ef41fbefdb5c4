/// All errors of a configuration, found in one reading. Values of secrets are never included.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    public let problems: [Problem]

    public enum Problem: Sendable, Equatable, CustomStringConvertible {
        case missing(key: String, flag: String, environmentVariable: String)
        /// `value` is nil for a secret.
        case unparsable(key: String, source: String, value: String?, expected: String)
        case notAllowed(key: String, source: String, value: String?, range: String)
        case unknownFlag(String)
        case flagWithoutValue(String)
        case repeatedFlag(String)
        case strayArgument(String)
        case unreadableFile(path: String, reason: String)
        case unknownKeyInFile(path: String, key: String)
        /// A programming error: the service reads a key that it has not declared.
        case undeclared(key: String)

        public var description: String {
            switch self {
            case .missing(let key, let flag, let variable):
                "\(key) is missing: set \(flag) or \(variable)"
            case .unparsable(let key, let source, let value, let expected):
                "\(key) from \(source)\(Self.shown(value)) is not \(expected)"
            case .notAllowed(let key, let source, let value, let range):
                "\(key) from \(source)\(Self.shown(value)) is not allowed: \(range)"
            case .unknownFlag(let flag): "\(flag) is not a flag of this service"
            case .flagWithoutValue(let flag): "\(flag) needs a value"
            case .repeatedFlag(let flag): "\(flag) is given more than once"
            case .strayArgument(let position): "argument \(position) belongs to no flag"
            case .unreadableFile(let path, let reason): "the file \(path) cannot be read: \(reason)"
            case .unknownKeyInFile(let path, let key): "\(key) in the file \(path) is not a key of this service"
            case .undeclared(let key): "\(key) is read but not declared"
            }
        }

        var isMissing: Bool { if case .missing = self { true } else { false } }

        private static func shown(_ value: String?) -> String { value.map { " (\"\($0)\")" } ?? "" }
    }

    public var description: String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        return "The configuration has \(count):\n" + problems.map { "  - \($0)" }.joined(separator: "\n")
    }
}
