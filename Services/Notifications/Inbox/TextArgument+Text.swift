extension TextArgument {
    /// - Parameter language: `en` or `ar`.
    func text(in language: String) -> String {
        switch self {
        case .text(let text), .ownText(let text, by: _): text
        case .person(let name, _): name
        case .words(let words), .ownWords(let words, by: _):
            words.map { $0[language] ?? $0["en"] ?? $0.min { $0.key < $1.key }?.value ?? "" }
                .joined(separator: language == "ar" ? "، " : ", ")
        case .money(let amount, let currency): MoneyText.text(amount, currency, in: language)
        case .number(let number): String(number)
        }
    }
}
