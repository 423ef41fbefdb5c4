/// Whoever is woken by an alert finds what to do.
enum RunbookRules {
    static let page = "docs/runbooks.md"

    struct Alert: Equatable {
        let name: String
        let line: Int
        let severity: String?
        let runbook: String?
        let hasSummary: Bool
    }

    static func alerts(in text: String) -> [Alert] {
        let lines = SourceFile.numbered(text)
        let starts = lines.indices.filter { lines[$0].text.contains(#/^ *- (alert|record): /#) }
        return starts.enumerated().compactMap { number, start in
            guard let name = lines[start].text.firstMatch(of: #/- alert: (\S+)/#)?.1 else { return nil }
            let end = number + 1 < starts.count ? starts[number + 1] : lines.count
            let block = lines[start..<end].map(\.text).joined(separator: "\n")
            return Alert(
                name: String(name), line: lines[start].number,
                severity: block.firstMatch(of: #/severity: (\w+)/#).map { String($0.1) },
                runbook: block.firstMatch(of: #/(?m)^ +runbook: "?([^"\s]+)"?$/#).map { String($0.1) },
                hasSummary: block.contains(#/(?m)^ +summary: \S/#))
        }
    }

    static func violations(_ files: [SourceFile]) -> [Violation] {
        guard let rules = files.first(where: { $0.path == MetricRules.alerts }),
            let runbooks = files.first(where: { $0.path == page })
        else { return [] }
        let headings = SourceFile.numbered(runbooks.text).filter { $0.text.hasPrefix("## ") }
            .map { String($0.text.dropFirst(3)) }
        let alerts = alerts(in: rules.text)
        var found: [Violation] = []
        for alert in alerts {
            if alert.runbook != "\(page)#\(alert.name.lowercased())" || !headings.contains(alert.name) {
                found.append(
                    Violation(rules, line: alert.line, "\(alert.name) has no heading in \(page), or does not name it"))
            }
            if !["page", "ticket"].contains(alert.severity) || !alert.hasSummary {
                found.append(
                    Violation(rules, line: alert.line, "\(alert.name) has no summary, or no severity page or ticket"))
            }
        }
        // One alert may be several rules: each says for one of its conditions.
        let known = Set(alerts.map(\.name))
        for heading in headings where !known.contains(heading) {
            found.append(Violation(runbooks, "there is no alert \(heading)"))
        }
        if Set(headings).count < headings.count { found.append(Violation(runbooks, "a heading stands there twice")) }
        return found
    }
}
