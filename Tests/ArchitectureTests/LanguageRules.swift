/// What Swift allows and this project does not.
enum LanguageRules {
    /// In the shared layers and the services: nothing that silences the compiler or ends the process.
    static func forbidden(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, file.isIn("Shared", "Services") else { return [] }
        return [
            // The sanitizer's mutex is one: the race it could hide is what it is there to show.
            file.isIn("Shared/Locks")
                ? [] : find(#/@unchecked\b/#, file, "@unchecked hides a data race from the compiler"),
            find(#/\bnonisolated\s*\(\s*unsafe\s*\)/#, file, "nonisolated(unsafe) hides a data race from the compiler"),
            find(#/\btry!/#, file, "try! ends the process"),
            find(#/\bfatalError\s*\(/#, file, "fatalError ends the process"),
            find(#/\bcatch\s*\{\s*\}/#, file, "an error is dropped"),
        ].flatMap { $0 }
    }

    /// An unsafe continuation that is resumed twice is undefined behaviour. Two layers that hand over every message
    /// with one may use them; all else uses checked ones.
    static func continuations(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, file.isIn("Shared", "Services"), !file.isIn("Shared/PollThread", "Shared/AMQP") else {
            return []
        }
        return find(#/\b(?:with)?Unsafe(?:Throwing)?Continuation\b/#, file, "use a checked continuation")
    }

    /// What people type is read by the readers that bring it into one form; what reads past them forgets to.
    static func typed(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, file.isIn("Services"), !file.isIn("Services/Sandbox") else { return [] }
        return find(#/\.queryParameters\b/#, file, "a query is read by a QueryForm")
            + find(#/\brequest\.decode\s*\(/#, file, "a body is read by a Form")
    }

    /// Foundation's JSON accepts more than one reading of a text and costs several times as much.
    static func json(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, file.isIn("Services", "Shared"), !jsonExceptions.keys.contains(where: { file.isIn($0) })
        else { return [] }
        return find(#/\bJSON(?:Encoder|Decoder|Serialization)\b/#, file, "JSON is written and read by SeraiJSON")
    }

    static let jsonExceptions = [
        "Services/Sandbox": "plays other companies' systems: our reader must read what another program writes",
        "Shared/TestKit": "reads answers for tests, which must not judge a writer by its own reader",
    ]

    /// A service has one clock, which its composition root gives to all that needs the time, so that a test can set it.
    /// Monotonic time, for pauses and limits, is another matter.
    static func clock(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, file.isIn("Services"), !file.isIn("Services/Sandbox") else { return [] }
        let reason = "the time is given by the service's clock, or by the caller"
        return [
            find(#/\bDate\s*\(\s*\)/#, file, reason), find(#/\bDate\s*(?:=\s*)?\.\s*now\b/#, file, reason),
            find(#/\.thisMillisecond\b/#, file, reason), find(#/\btimeIntervalSinceNow\b/#, file, reason),
            find(#/(?:\$\d|\bdeadline)\.now\s*\(\s*\)/#, file, "a deadline's time is asked for by the service's clock"),
        ].flatMap { $0 }
    }

    /// Composition roots: where the clock comes from. A service that runs has it from `ServiceAssembly`.
    static let clockRoots = [
        "Services/Admin/AdminService.swift": "the command that rebuilds copies",
        "Services/Identity/Admins/CreateAdminCommand.swift": "a command",
        "Services/Identity/IdentityService.swift": "the command that republishes",
        "Services/Identity/Keys/CreateKeysCommand.swift": "a command",
        "Services/Identity/Keys/RotateSigningKeyCommand.swift": "a command",
        "Services/Wallet/Accounts/RepublishMethodsCommand.swift": "a command",
        "Services/Wallet/WalletService.swift": "the command that republishes",
    ]

    private static func find(
        _ pattern: Regex<Substring>, _ file: SourceFile, _ reason: String
    ) -> [Violation] {
        // Unicode's own word boundaries see one word in `Swift.fatalError`.
        file.code.matches(of: pattern.wordBoundaryKind(.simple)).map { match in
            let line = file.code[..<match.range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
            return Violation(file, line: line, reason)
        }
    }
}
