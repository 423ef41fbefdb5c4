/// The metrics of the code and of what else is scraped are those of the reference, and alerts and dashboards use no others.
enum MetricRules {
    static let reference = "docs/metrics.md"
    static let alerts = "deploy/alerts.yml"
    /// What alerts compare, reckoned beforehand.
    static let levels = "deploy/levels.yml"
    static let dashboards = "deploy/observability/dashboards"
    /// Under this heading stand metrics that other programs answer.
    static let foreign = "## Of other programs"

    /// Names in the output of `/metrics`, with their types, as ServiceKit's `MetricFamily` makes them of an instrument's label.
    static func declared(in files: [SourceFile]) -> [(file: SourceFile, name: String, type: String)] {
        let sources = files.filter { $0.isSwift && $0.isIn("Shared", "Services") && !$0.isIn("Shared/TestKit") }
        let labels = sources.flatMap { $0.text.matches(of: #/static let (\w+Label) = "([^"]+)"/#) }
            .reduce(into: [:]) { $0[String($1.1)] = String($1.2) }
        return sources.flatMap { file in declared(in: file, labels).map { (file, $0.name, $0.type) } }
    }

    private static func declared(
        in file: SourceFile, _ labels: [String: String]
    ) -> [(name: String, type: String)] {
        let instruments = file.text.matches(
            of:
                #/\b(Counter|FloatingPointCounter|Gauge|Meter|Timer|Recorder)\(\s*label:\s*(?:"([^"]+)"|[\w.]*?(\w+Label)\b)/#
                // As elsewhere: a point ends a word.
                .wordBoundaryKind(.simple))
        let made = instruments.compactMap { match -> (String, String)? in
            let label = match.2.map(String.init) ?? match.3.flatMap { labels[String($0)] }
            return label.map { family(String(match.1), $0) }
        }
        let own = file.text.matches(of: #/"([a-z_]+)", type: "(counter|gauge)"/#)
        return made + own.map { (String($0.1), String($0.2)) }
    }

    private static func family(_ instrument: String, _ label: String) -> (String, String) {
        let name = label.replacing(".", with: "_")
        switch instrument {
        case "Counter", "FloatingPointCounter": return (name.hasSuffix("_total") ? name : name + "_total", "counter")
        case "Timer": return (name.hasSuffix("_seconds") ? name : name + "_seconds", "histogram")
        case "Recorder": return (name, "histogram")
        default: return (name, "gauge")
        }
    }

    /// The rows of the reference: our own metrics, or those of other programs.
    static func documented(in text: String, isForeign: Bool) -> [(name: String, type: String)] {
        let parts = text.split(separator: foreign, maxSplits: 1)
        let part = isForeign ? parts.dropFirst().first ?? "" : parts.first ?? ""
        return part.matches(of: #/(?m)^\| `([A-Za-z0-9_:]+)` \| (counter|gauge|histogram) \|/#)
            .map { (String($0.1), String($0.2)) }
    }

    static func violations(_ files: [SourceFile]) -> [Violation] {
        guard let page = files.first(where: { $0.path == reference }) else { return [] }
        var own: [String: String] = [:]
        var found: [Violation] = []
        for (file, name, type) in declared(in: files) {
            if let known = own[name], known != type { found.append(Violation(file, "\(name) has two types")) }
            own[name] = type
        }
        let rows = documented(in: page.text, isForeign: false)
        let told = Dictionary(rows.map { ($0.name, $0.type) }) { first, _ in first }
        if told.count < rows.count { found.append(Violation(page, "a metric stands there twice")) }
        for (name, type) in own.sorted(by: { $0.key < $1.key }) where told[name] != type {
            found.append(Violation(page, "\(name), a \(type), is not there, or with another type"))
        }
        for name in told.keys.sorted() where own[name] == nil {
            found.append(Violation(page, "no code has the metric \(name)"))
        }
        return found + unknown(files, page)
    }

    /// Metrics in alerts and dashboards that are not in the reference.
    private static func unknown(_ files: [SourceFile], _ page: SourceFile) -> [Violation] {
        let rows = documented(in: page.text, isForeign: false) + documented(in: page.text, isForeign: true)
        var known = Set(rows.flatMap { $0.type == "histogram" ? names(ofHistogram: $0.name) : [$0.name] })
        let read = files.filter { [alerts, levels].contains($0.path) || $0.isIn(dashboards) }
        let recorded = read.flatMap { $0.text.matches(of: #/(?m)^ *- record: (\S+)/#).map { String($0.1) } }
        known.formUnion(recorded)
        return read.flatMap { file in
            expressions(in: file).flatMap(metrics).filter { !known.contains($0) }
                .map { Violation(file, "\(reference) has no metric \($0)") }
        }
    }

    private static func names(ofHistogram name: String) -> [String] { ["_bucket", "_sum", "_count"].map { name + $0 } }

    /// The expressions of a file of rules, or of a dashboard.
    static func expressions(in file: SourceFile) -> [String] {
        if file.path.hasSuffix(".json") {
            return file.text.matches(of: #/"expr": "((?:[^"\\]|\\.)*)"/#).map {
                String($0.1).replacing("\\\"", with: "\"")
            }
        }
        return file.text.matches(of: #/(?m)^( *)expr: *(?:[|>]-?\n((?:\1 +.*\n|\n)+)|(.+)$)/#)
            .map { String($0.2 ?? $0.3 ?? "") }
    }

    /// Names in an expression that are neither functions, labels nor words of the language.
    static func metrics(in expression: String) -> [String] {
        let words: Set = [
            "and", "or", "unless", "by", "without", "on", "ignoring", "bool", "offset", "group_left", "group_right",
            "inf",
        ]
        let bare = expression.replacing(#/"(?:[^"\\]|\\.)*"|'[^']*'/#, with: "")
            .replacing(#/\{[^}]*\}|\[[^\]]*\]/#, with: "")
            .replacing(
                #/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/#.wordBoundaryKind(.simple), with: "")
        return bare.matches(of: #/(?:^|[^\w.:$])([A-Za-z_:][\w:]*)(?![\w:]|\s*\()/#).map { String($0.1) }
            .filter { !words.contains($0.lowercased()) }
    }
}
