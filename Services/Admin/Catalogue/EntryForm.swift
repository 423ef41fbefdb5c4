import Contracts
import Foundation
import ServiceKit

/// An entry as an admin writes it. Texts are normalized by ``Form``; what is wrong is named field by field.
struct EntryForm: Sendable {
    /// The minutes of a service: from a short visit to a day.
    static let minutes = 5...1_440
    static let prices = 0...10_000_000
    static let spellings = 0...100

    let texts: [String: LocalizedText]
    let type: String?
    let titles: [String]?
    let minutes: Int?
    let spellings: [String]?
    let ambiguous: Bool?
    let parties: [OrderSnapshot.Actor]?
    /// In minor units.
    let price: Int?

    /// What the rules of a section need of the market.
    private struct Party: RawRepresentable, CaseIterable {
        static let allCases = [Party(.customer), Party(.provider), Party(.merchant)]
        let actor: OrderSnapshot.Actor
        var rawValue: String { actor.rawValue }

        init(_ actor: OrderSnapshot.Actor) { self.actor = actor }
        init?(rawValue: String) {
            guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = found
        }
    }

    /// - Throws: a 422 ``Problem`` that lists all invalid fields.
    init(_ form: Form, in section: CatalogueEntry.Section) throws(Problem) {
        texts = Self.texts(form, section)
        let isService = section == .services
        type = isService ? form.string("type", length: 1...100) : nil
        titles = isService ? form.strings("titles", count: 0...50, length: 1...100) : nil
        minutes = isService ? form.integer("minutes", in: Self.minutes) : nil
        price = isService ? form.integer("price", in: Self.prices, required: false) : nil
        let isTitle = section == .titles
        spellings = isTitle ? form.strings("spellings", count: Self.spellings, length: 1...100) : nil
        ambiguous = isTitle ? form.bool("ambiguous") : nil
        var parties: [OrderSnapshot.Actor]?
        if section == .reportReasons, let named = form.strings("parties", count: 0...3, length: 1...20) {
            let known = named.map { Party(rawValue: $0)?.actor }
            for (index, party) in known.enumerated() where party == nil {
                form.validator.reject(
                    JSONPointer(["parties"]).appending(index), "not-a-choice",
                    ["choices": Party.allCases.map(\.rawValue).joined(separator: ", ")])
            }
            parties = Array(Set(known.compactMap { $0 })).sorted { $0.rawValue < $1.rawValue }
        }
        self.parties = parties
        try form.finish()
    }

    private static func texts(_ form: Form, _ section: CatalogueEntry.Section) -> [String: LocalizedText] {
        guard let all = form.group("texts") else { return [:] }
        var texts: [String: LocalizedText] = [:]
        for text in section.requiredTexts + section.optionalTexts {
            let isRequired = section.requiredTexts.contains(text)
            guard let one = isRequired ? all.group(text.rawValue) : all.object(text.rawValue, required: false) else {
                continue
            }
            var words: [String: String] = [:]
            for language in MarketSettings.knownLanguages {
                words[language] = one.string(
                    language, length: 1...length(of: text, in: section), lines: text.isLong)
            }
            texts[text.rawValue] = LocalizedText(words)
        }
        return texts
    }

    /// Names stand on buttons and in lists; sentences of reasons and instructions are longer.
    private static func length(of text: CatalogueEntry.Text, in section: CatalogueEntry.Section) -> Int {
        if text.isLong { return 1_000 }
        return section == .reportReasons || text == .brief ? 200 : 80
    }

    /// The entry with what the form says of it, checked against the rest of the catalogue.
    ///
    /// - Throws: a 422 ``Problem`` that lists all invalid fields.
    func applied(to entry: CatalogueEntry, in catalogue: MarketCatalogue) throws(Problem) -> CatalogueEntry {
        var changed = entry
        changed.texts = texts
        changed.type = type
        changed.titles = titles.map { Array(Set($0)).sorted() }
        changed.minutes = minutes
        changed.spellings = spellings.map { Self.unique($0) }
        changed.ambiguous = ambiguous
        changed.parties = parties
        let faults = self.faults(entry, in: catalogue)
        guard faults.isEmpty else { throw .invalidFields(faults) }
        return changed
    }

    private func faults(_ entry: CatalogueEntry, in catalogue: MarketCatalogue) -> [FieldProblem] {
        var faults: [FieldProblem] = []
        let types = catalogue.section(.serviceTypes).map(\.id)
        if let type, !types.contains(type) {
            faults.append(FieldProblem("type", "not-a-choice", ["choices": types.joined(separator: ", ")]))
        }
        let known = catalogue.section(.titles).map(\.id)
        for (index, title) in (titles ?? []).enumerated() where !known.contains(title) {
            faults.append(
                FieldProblem(
                    JSONPointer(["titles"]).appending(index), "not-a-choice",
                    ["choices": known.joined(separator: ", ")]))
        }
        if price != nil, !catalogue.setsPrices { faults.append(FieldProblem("price", "priced-by-providers")) }
        if ambiguous == false {
            for (index, spelling) in (spellings ?? []).enumerated() {
                // A register's entry means one title.
                guard let other = catalogue.market.title(ofJob: spelling), other.id != entry.id else { continue }
                faults.append(
                    FieldProblem(
                        JSONPointer(["spellings"]).appending(index), "spelling-taken",
                        ["title": other.name.text(in: "en")]))
            }
        }
        if catalogue.isFixed(entry.key) {
            if let parties, parties != entry.parties ?? [] { faults.append(FieldProblem("parties", "words-only")) }
        } else if let parties {
            if parties.isEmpty { faults.append(FieldProblem("parties", "required")) }
            if parties.contains(.merchant), catalogue.market.kind(Market.Workflow.food.rawValue) == nil {
                faults.append(FieldProblem("parties", "no-merchants"))
            }
        }
        return faults
    }

    /// Each spelling once, in the order in which they were written.
    private static func unique(_ spellings: [String]) -> [String] {
        var seen: Set<String> = []
        return spellings.filter { seen.insert($0.lowercased()).inserted }
    }
}

extension CatalogueEntry.Text {
    /// Whether it may have several lines.
    var isLong: Bool { self == .instructions || self == .requirements }
}
