/// Validates the flags before anything is read from them: each must be declared, given once and have a value.
///
/// The reader of swift-configuration ignores flags that are not read, so a misspelt flag would go unnoticed.
struct ConfigurationArguments {
    static let fileFlag = "--config"

    private(set) var problems: [ConfigurationError.Problem] = []
    /// The value of `--config`.
    private(set) var filePath: String?

    /// - Parameter arguments: without the program's name.
    init(_ arguments: [String], keys: [AnyConfigurationKey]) {
        let known = Dictionary(keys.map { ($0.flag, $0) }) { first, _ in first }
        var seen: Set<String> = []
        var index = arguments.startIndex
        while index < arguments.endIndex {
            let argument = arguments[index]
            index += 1
            guard argument.hasPrefix("--") else {
                // The argument is not shown, because it could be a password after a mistyped flag.
                problems.append(.strayArgument("number \(index)"))
                continue
            }
            let (flag, inline) = Self.split(argument)
            let key = known[flag]
            let isKnown = key != nil || flag == Self.fileFlag
            let hasNext = index < arguments.endIndex && !arguments[index].hasPrefix("--")
            let value = inline ?? (hasNext ? arguments[index] : nil)
            if inline == nil, hasNext { index += 1 }
            guard isKnown else {
                problems.append(.unknownFlag(flag))
                continue
            }
            if !seen.insert(flag).inserted { problems.append(.repeatedFlag(flag)) }
            if value == nil, key?.isSwitch != true { problems.append(.flagWithoutValue(flag)) }
            if flag == Self.fileFlag { filePath = value }
        }
    }

    private static func split(_ argument: String) -> (flag: String, value: String?) {
        guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }
}
