extension Market {
    /// The drawing of a service that has no picture of its own.
    public static let plainImage = "service.svg"

    /// What admins may change of the market, in the order of display.
    public var catalogue: [CatalogueEntry] {
        var entries: [CatalogueEntry] = []
        for type in serviceTypes + retired.serviceTypes { entries.append(entry(of: type)) }
        for type in serviceTypes + retired.serviceTypes {
            for service in type.services { entries.append(entry(of: service, in: type.id)) }
        }
        for service in retired.services { entries.append(entry(of: service.service, in: service.type)) }
        for title in titles + retired.titles { entries.append(entry(of: title)) }
        for reason in reportReasons + retired.reportReasons { entries.append(entry(of: reason)) }
        entries += Self.entries(of: labels, before: "")
        for kind in kinds { entries += Self.entries(of: kind.labels, before: "\(kind.id).") }
        for kind in kinds { entries.append(CatalogueEntry(.kinds, kind.id, position: 0, texts: [.name: kind.name])) }
        var counts: [CatalogueEntry.Section: Int] = [:]
        for index in entries.indices {
            counts[entries[index].section, default: 0] += 1
            entries[index].position = positions[entries[index].key] ?? counts[entries[index].section, default: 0]
        }
        return entries
    }

    /// The same market with entries that admins have changed or added. What the entries name and there is not is left out.
    public func with(_ changes: [CatalogueEntry]) -> Market {
        guard !changes.isEmpty else { return self }
        let changed = Dictionary(changes.map { ($0.key, $0) }) { _, last in last }
        let known = catalogue
        let keys = Set(known.map(\.key))
        let added = changes.filter { $0.section.isOpen && !keys.contains($0.key) }
        let all = (known.map { changed[$0.key] ?? $0 } + added).enumerated()
            .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element)
        var market = self
        market.positions = Dictionary(all.map { ($0.key, $0.position) }) { first, _ in first }
        market.setServices(all)
        let titles = all.filter { $0.section == .titles }
        (market.titles, market.retired.titles) = titles.divided(Title.init)
        let reasons = all.filter { $0.section == .reportReasons }
        (market.reportReasons, market.retired.reportReasons) = reasons.divided(ReportReason.init)
        for entry in all where changed[entry.key] != nil { market.setWords(entry) }
        return market
    }

    /// The title with this id; a retired one, too, because people may have it.
    public func title(_ id: String?) -> Title? { id.flatMap { id in allTitles.first { $0.id == id } } }

    /// The retired titles, which nobody takes anew. Some people still have them.
    public var formerTitles: [Title] { retired.titles }

    public var allTitles: [Title] { titles + formerTitles }

    /// The services with the retired ones, for what was ordered or priced before.
    public var allServices: [Service] {
        services + retired.serviceTypes.flatMap(\.services) + retired.services.map(\.service)
    }

    // MARK: To entries

    private func entry(of type: ServiceType) -> CatalogueEntry {
        var entry = CatalogueEntry(
            .serviceTypes, type.id, active: serviceTypes.contains { $0.id == type.id }, position: 0,
            texts: [.name: type.name, .brief: type.brief])
        entry.image = type.image
        return entry
    }

    private func entry(of service: Service, in type: String) -> CatalogueEntry {
        var entry = CatalogueEntry(
            .services, service.id, active: !retired.services.contains { $0.service.id == service.id }, position: 0,
            texts: [
                .name: service.name, .brief: service.brief, .instructions: service.instructions,
                .requirements: service.requirements,
            ])
        entry.image = service.image
        entry.type = type
        entry.titles = service.titles.sorted()
        entry.minutes = service.minutes
        return entry
    }

    private func entry(of title: Title) -> CatalogueEntry {
        var entry = CatalogueEntry(
            .titles, title.id, active: titles.contains { $0.id == title.id }, position: 0, texts: [.name: title.name])
        entry[.feminine] = title.feminine
        entry[.spoken] = title.spoken
        entry[.spokenFeminine] = title.spokenFeminine
        entry.spellings = title.jobTitles
        entry.ambiguous = title.isAmbiguous
        return entry
    }

    private func entry(of reason: ReportReason) -> CatalogueEntry {
        var entry = CatalogueEntry(
            .reportReasons, reason.id, active: reportReasons.contains { $0.id == reason.id }, position: 0,
            texts: [.name: reason.text])
        entry.parties = reason.parties.sorted { $0.rawValue < $1.rawValue }
        return entry
    }

    /// In the order in which orders pass through the states.
    private static func entries(of labels: [OrderSnapshot.State: StateLabel], before id: String) -> [CatalogueEntry] {
        OrderSnapshot.State.allCases.compactMap { state in
            guard let label = labels[state] else { return nil }
            var entry = CatalogueEntry(
                .labels, id + state.rawValue, position: 0,
                texts: [.customer: label.customer, .provider: label.provider])
            entry[.merchant] = label.merchant
            return entry
        }
    }

    // MARK: From entries

    private mutating func setServices(_ all: [CatalogueEntry]) {
        let services = all.filter { $0.section == .services }
        let types = all.filter { $0.section == .serviceTypes }
        (serviceTypes, retired.serviceTypes) = types.divided { type in
            ServiceType(
                id: type.id, name: type[.name] ?? [:], brief: type[.brief] ?? [:],
                image: type.image ?? Self.plainImage,
                services: services.filter { $0.active && $0.type == type.id }.map { Service($0, in: type) })
        }
        retired.services = services.filter { !$0.active }.map { service in
            let type = types.first { $0.id == service.type }
            return RetiredService(type: service.type ?? "", service: Service(service, in: type))
        }
    }

    /// Takes over a label of a state, or the name of a kind.
    private mutating func setWords(_ entry: CatalogueEntry) {
        switch entry.section {
        case .labels:
            let parts = entry.id.split(separator: ".").map(String.init)
            guard let last = parts.last, let state = OrderSnapshot.State(rawValue: last),
                let customer = entry[.customer], let provider = entry[.provider]
            else { return }
            let label = StateLabel(customer: customer, provider: provider, merchant: entry[.merchant])
            if parts.count == 1 { labels[state] = label }
            for index in kinds.indices where parts.count == 2 && kinds[index].id == parts[0] {
                kinds[index].labels[state] = label
            }
        case .kinds:
            for index in kinds.indices where kinds[index].id == entry.id {
                if let name = entry[.name] { kinds[index].name = name }
            }
        case .serviceTypes, .services, .titles, .reportReasons: return
        }
    }

    /// What admins have retired.
    struct Retired: Sendable {
        var serviceTypes: [ServiceType] = []
        var services: [RetiredService] = []
        var titles: [Title] = []
        var reportReasons: [ReportReason] = []
    }

    struct RetiredService: Sendable {
        let type: String
        let service: Service
    }
}

extension [CatalogueEntry] {
    /// Values of the active and of the retired entries.
    fileprivate func divided<Value>(_ value: (CatalogueEntry) -> Value) -> ([Value], [Value]) {
        (filter(\.active).map(value), filter { !$0.active }.map(value))
    }
}

extension Market.Service {
    fileprivate init(_ entry: CatalogueEntry, in type: CatalogueEntry?) {
        self.init(
            id: entry.id, name: entry[.name] ?? [:], brief: entry[.brief] ?? [:],
            image: entry.image ?? type?.image ?? Market.plainImage, instructions: entry[.instructions] ?? [:],
            requirements: entry[.requirements] ?? [:], titles: Set(entry.titles ?? []), minutes: entry.minutes ?? 60)
    }
}

extension Market.Title {
    fileprivate init(_ entry: CatalogueEntry) {
        self.init(
            id: entry.id, name: entry[.name] ?? [:], feminine: entry[.feminine], spoken: entry[.spoken],
            spokenFeminine: entry[.spokenFeminine], jobTitles: entry.spellings ?? [],
            isAmbiguous: entry.ambiguous ?? false)
    }
}

extension Market.ReportReason {
    fileprivate init(_ entry: CatalogueEntry) {
        self.init(id: entry.id, text: entry[.name] ?? [:], parties: Set(entry.parties ?? []))
    }
}
