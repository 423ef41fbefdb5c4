import Foundation

/// The entry of a register of professions about a person, as a market reads it (I5).
public enum ReadJobTitle: Hashable, Sendable {
    /// A title of the market, by its id.
    case title(String)
    /// A medical profession that the market has no title for, or a grade that may be one: an admin looks at it.
    case unknownMedical
    case other
}

extension Market {
    /// Words that say a rank or a licence and no profession, folded.
    private static let ranks: Set = [
        "senior", "junior", "staff", "lead", "head", "chief", "first", "second", "licensed", "consultant", "resident",
        "اول", "اولي", "ثان", "ثاني", "ثانيه", "رييس", "رييسه", "كبير", "استشاري", "استشاريه", "مقيم", "مقيمه", "نايب",
        "مرخص",
    ]

    /// Reads a job title in whatever form people write it: case, spaces, hamza and vowel signs, with or without the
    /// article, and with a rank.
    ///
    /// - Parameter held: the title that the person has here already.
    public func read(jobTitle job: String?, heldAs held: String? = nil) -> ReadJobTitle {
        let words = Self.words(of: job ?? "")
        guard !words.isEmpty else { return .other }
        if let title = title(ofJob: job, heldAs: held) { return .title(title.id) }
        return MedicalProfessions.mayName(words) ? .unknownMedical : .other
    }

    /// The title that a register of professions means by a job title; nil for other jobs, and where the words are those
    /// of an ambiguous title.
    ///
    /// - Parameter held: the title that the person has here already: it is read also when it is retired by now.
    public func title(ofJob job: String?, heldAs held: String? = nil) -> Title? {
        let asked = Self.words(of: job ?? "")
        guard !asked.isEmpty else { return nil }
        let unranked = asked.filter { !Self.ranks.contains($0) }
        let candidates = titles + formerTitles.filter { $0.id == held }
        return candidates.lazy.filter { !$0.isAmbiguous }.first { title in
            let names =
                [title.id] + [title.name, title.feminine].compactMap { $0 }.flatMap(\.texts.values) + title.jobTitles
            return names.contains { name in
                let known = Self.words(of: name)
                return known == asked || !unranked.isEmpty && known == unranked
            }
        }
    }

    /// The words of a text in one form.
    private static func words(of text: String) -> [String] {
        var folded = ""
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            // Marks and joiners vanish; dashes and points stand between words.
            case .nonspacingMark, .format, .control: continue
            case .dashPunctuation, .otherPunctuation: folded += " "
            default: if scalar != tatweel { folded.unicodeScalars.append(alike[scalar] ?? scalar) }
            }
        }
        return folded.lowercased().split(whereSeparator: \.isWhitespace).map { word in
            // The article of Arabic.
            word.hasPrefix("\u{0627}\u{0644}") && word.count > 4 ? String(word.dropFirst(2)) : String(word)
        }
    }

    /// Only lengthens a word.
    private static let tatweel: Unicode.Scalar = "\u{0640}"

    /// Letters that people type for one another.
    private static let alike: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{0671}": "\u{0627}", "\u{0649}": "\u{064A}", "\u{06CC}": "\u{064A}", "\u{06A9}": "\u{0643}",
        "\u{0629}": "\u{0647}",
    ]
}
