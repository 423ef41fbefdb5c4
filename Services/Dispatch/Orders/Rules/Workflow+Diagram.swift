extension Workflow {
    /// The table as a Mermaid state diagram.
    var mermaid: String {
        var lines = ["stateDiagram-v2", "    [*] --> \(first.rawValue)"]
        for row in rows {
            let actors = OrderActor.allCases.filter(row.actors.contains).map(\.rawValue).joined(separator: " or ")
            let condition = row.condition == .always ? "" : " [\(row.condition.rawValue)]"
            let effects = row.effects.map(\.words).joined(separator: ", ")
            lines.append(
                "    \(row.from.rawValue) --> \(row.to.rawValue): \(row.trigger.rawValue) by \(actors)\(condition) / \(effects)"
            )
        }
        let finals = OrderState.allCases.filter { state in state.isFinal && rows.contains { $0.to == state } }
        lines += finals.map { "    \($0.rawValue) --> [*]" }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension OrderEffect {
    fileprivate var words: String {
        switch self {
        case .waits(let window): "waits for \(window.rawValue)"
        case .resumes(let window): "waits for \(window.rawValue) again"
        case .ends(let window): "ends the wait for \(window.rawValue)"
        case .claimsProvider: "claims the provider"
        case .freesProvider: "frees the provider"
        case .handsOver: "hands it over"
        case .takesProvider: "takes the provider"
        case .losesProvider: "has no provider"
        case .releasesBike: "leaves the bike to others"
        case .posts: "is on the board"
        case .unposts: "leaves the board"
        case .searches: "begins the search"
        case .offers: "asks the provider alone"
        case .continuesSearch: "goes on with the search"
        case .endsSearch: "ends the search"
        case .startsSearchNow: "hastens the search"
        case .reports(let reason, let author): "reports \(reason) for the \(author.rawValue)"
        case .fines: "fines the customer"
        case .because(let reason): "because \(reason)"
        case .tells(let news): "tells \(news.rawValue)"
        }
    }
}
