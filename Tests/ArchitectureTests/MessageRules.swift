/// Every message has a sample of its JSON, and those of its former shapes are kept.
enum MessageRules {
    static let contracts = "Shared/Contracts"
    static let samples = "Tests/ContractTests/Golden"
    /// Named by the message and a number: `dispatch.order.pending.v1.2.json`.
    static let former = "\(samples)/former"

    /// The wire names that a file of the contracts declares.
    static func names(in file: SourceFile) -> [Substring] {
        file.text.matches(of: #/\bname\s*:\s*MessageName\s*=\s*"([^"]+)"/#).map(\.1)
    }

    /// Message types without a name written out, names without a sample, samples without a message.
    static func violations(_ files: [SourceFile]) -> [Violation] {
        let declaring = files.filter { $0.isSwift && $0.isIn(contracts) }
        let all = files.filter { $0.isIn(samples) && $0.path.hasSuffix(".json") }
        let sampled = all.filter { !$0.isIn(former) }
        let sampleNames = Set(sampled.map { $0.name.dropLast(".json".count) })
        var known: Set<Substring> = []
        var violations: [Violation] = []
        for file in declaring {
            let names = names(in: file)
            known.formUnion(names)
            let types = file.code.matches(of: #/\b(?:struct|enum|class|extension)\s+[\w.]+\s*:[^{]*\bMessage\b[^{]*\{/#)
            if types.count != names.count {
                violations.append(Violation(file, "\(types.count) messages and \(names.count) names written out"))
            }
            for name in names where !sampleNames.contains(name) {
                violations.append(Violation(file, "\(name) has no sample \(samples)/\(name).json"))
            }
        }
        for file in sampled where !known.contains(file.name.dropLast(".json".count)) {
            violations.append(Violation(file, "a sample of no message"))
        }
        for file in all where file.isIn(former) {
            let name = file.name.prefixMatch(of: #/(.+)\.[1-9][0-9]*\.json/#)?.1
            if name.map(known.contains) != true { violations.append(Violation(file, "a former sample of no message")) }
        }
        return violations
    }
}
