/// Who may import whom.
enum ImportRules {
    /// The modules that a file imports.
    static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
        let pattern =
            #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/#
        return file.codeLines.filter { $0.text.contains("import") }.compactMap { line in
            line.text.prefixMatch(of: pattern).map { (line.number, String($0.1)) }
        }
    }

    private static let system: Set = ["Foundation", "Glibc", "Dispatch", "Locks", "Synchronization"]
    private static let instruments: Set = ["Logging", "Metrics", "DequeModule"]

    /// What needs no IO: all that rules may import.
    static let pure: Set = ["Foundation", "Matching"]

    /// Everything that a shared layer may import. What is not listed here may import what the other rules leave.
    static let layers: [String: Set<String>] = [
        "Locks": ["Glibc", "Synchronization"],
        "PollThread": ["Glibc", "Locks", "Synchronization"],
        "Postgres": system.union(instruments).union(["CLibPQ", "PollThread", "Crypto"]),
        "Mail": ["Foundation", "Synchronization", "CCurl", "PollThread"],
        "AMQP": system.union(instruments).union(["CRabbitMQ", "PollThread"]),
        "JSON": ["Foundation"],
        "Messaging": system.union(instruments).union([
            "SeraiJSON", "PollThread", "Postgres", "AMQP", "ServiceLifecycle",
        ]),
        "Contracts": ["Foundation", "SeraiJSON", "Messaging"],
        "Matching": pure,
        "PrayerTimes": ["Foundation"],
        // `serai-dev` is built before anything else is.
        "LocalPlatform": system.union(["SeraiJSON"]),
    ]

    /// A layer imports what is below it.
    static func layering(_ file: SourceFile) -> [Violation] {
        guard file.isIn("Shared"), file.folders.count >= 2, let allowed = layers[file.folders[1]] else { return [] }
        return imports(of: file).filter { !allowed.contains($0.module) }.map {
            Violation(file, line: $0.line, "\(file.folders[1]) may not import \($0.module)")
        }
    }

    /// The C libraries' handles are not thread-safe: each has one owner that keeps them on their thread.
    static func cLibraries(_ file: SourceFile) -> [Violation] {
        let owners = ["CLibPQ": "Shared/Postgres", "CRabbitMQ": "Shared/AMQP", "CCurl": "Shared/Mail"]
        return imports(of: file).compactMap { entry in
            guard let owner = owners[entry.module], !file.isIn(owner) else { return nil }
            return Violation(file, line: entry.line, "only \(owner) may import \(entry.module)")
        }
    }

    /// Services know each other by their messages only.
    static func services(_ file: SourceFile, services: Set<String>) -> [Violation] {
        guard file.isIn("Services", "Shared") else { return [] }
        let own = file.isIn("Services") && file.folders.count >= 2 ? "Serai\(file.folders[1])" : nil
        return imports(of: file).filter { services.contains($0.module) && $0.module != own }.map {
            Violation(file, line: $0.line, "\($0.module) is a service; learn from its messages")
        }
    }

    /// What an order or a ledger may do needs no IO.
    static func rules(_ file: SourceFile) -> [Violation] {
        guard file.isIn("Services"), file.folders.contains("Rules") else { return [] }
        return imports(of: file).filter { !pure.contains($0.module) }.map {
            Violation(file, line: $0.line, "rules import nothing but Foundation and Matching, not \($0.module)")
        }
    }

    /// What is shipped does not need what tests it.
    static func testing(_ file: SourceFile) -> [Violation] {
        guard file.isIn("Shared", "Services"), !file.isIn("Shared/TestKit") else { return [] }
        let testing: Set = ["TestKit", "Testing", "XCTest", "HummingbirdTesting"]
        return imports(of: file).filter { testing.contains($0.module) }.map {
            Violation(file, line: $0.line, "product code may not import \($0.module)")
        }
    }
}
