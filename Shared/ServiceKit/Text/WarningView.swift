import Contracts

/// A warning about what a person has written. It refuses nothing.
public struct WarningView: Encodable, Sendable, Equatable {
    /// `medical-words`.
    public let code: String
    public let text: String

    /// Warns of medical words where the market keeps no medical data (Q10); nil without any.
    ///
    /// - Parameter texts: the reader's own words.
    public static func of(_ texts: [String?], in market: String?, _ language: String) -> [WarningView]? {
        guard let note = market.flatMap(Market.named)?.freeTextNote,
            texts.contains(where: { $0.map { MedicalWords.isIn(folded: SearchText.folded($0)) } == true })
        else { return nil }
        return [WarningView(code: "medical-words", text: note.text(in: language))]
    }
}

/// The warnings about the words of somebody who is shown nothing else of what was done (Q10); nil for none.
public struct OwnWordsView: Encodable, Sendable {
    public let warnings: [WarningView]?

    public init(warnings: [WarningView]?) { self.warnings = warnings }
}
