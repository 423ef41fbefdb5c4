import Contracts
import Foundation
import SeraiJSON

/// The texts that a market starts with: those of `Seeds`, and the terms of the market's file.
enum ContentSeeds {
    /// The file of each market. The file of a market that is not open yet is not read.
    private static let files: [String: [UInt8]] = [
        "assef": PackageResources.assef_json, "edencare": PackageResources.edencare_json,
        "btnc": PackageResources.btnc_json, "carrepsa": PackageResources.carrepsa_json,
        "hajji": PackageResources.hajji_json,
    ]

    static var markets: [String] { files.keys.sorted() }

    /// The first entries of a market's sections, in their order.
    static func entries(of market: String) throws -> [(section: ContentSection, entries: [Content])] {
        let sections = try files[market].map { try JSON.stored.decode([String: [Entry]].self, $0) } ?? [:]
        var seeds = sections.compactMap { name, entries in
            ContentSection(rawValue: name).map { (section: $0, entries: entries.map(\.content)) }
        }
        if let terms = Market.named(market)?.onboarding.terms {
            seeds.append((.terms, [Content(title: termsTitle, body: terms.text)]))
        }
        return seeds.sorted { $0.section.rawValue < $1.section.rawValue }
    }

    private static let termsTitle: LocalizedText = ["en": "Terms and conditions", "ar": "الشروط والأحكام"]

    /// A text as the files have it, line by line.
    private struct Entry: Decodable {
        let title: LocalizedText
        let body: [String: [String]]
        let group: String?
        let number: String?

        var content: Content {
            Content(
                title: title, body: LocalizedText(body.mapValues { $0.joined(separator: "\n") }), group: group,
                number: number)
        }
    }
}
