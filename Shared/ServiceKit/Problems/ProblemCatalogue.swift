import Foundation
import SeraiJSON

/// The texts of problems in every language. ServiceKit has its own; a service adds more; each language is one file.
///
/// A file is a flat JSON object of templates: `problem.<slug>.title`, `problem.<slug>.detail` and `field.<code>`.
public struct ProblemCatalogue: Sendable {
    public enum LoadError: Error, Equatable, CustomStringConvertible {
        case notAnObjectOfTexts(language: String)
        case badTemplate(language: String, key: String)
        /// A key that is missing in one language, or whose placeholders differ.
        case unlike(key: String, languages: [String])

        public var description: String {
            switch self {
            case .notAnObjectOfTexts(let language): "catalogue \(language) is not a JSON object of texts"
            case .badTemplate(let language, let key): "catalogue \(language): \(key) is not a template"
            case .unlike(let key, let languages): "\(key) differs between \(languages.joined(separator: ", "))"
            }
        }
    }

    private var templates: [Language: [String: MessageTemplate]] = [:]

    init() {}

    /// The common catalogue, embedded in the program.
    public static func common() throws(LoadError) -> ProblemCatalogue {
        var catalogue = ProblemCatalogue()
        try catalogue.add(.english, json: PackageResources.en_json)
        try catalogue.add(.arabic, json: PackageResources.ar_json)
        return catalogue
    }

    /// Adds a file. Its keys replace equal ones.
    public mutating func add(_ language: Language, json: [UInt8]) throws(LoadError) {
        let texts: [String: String]
        do {
            texts = try JSON.stored.decode([String: String].self, json)
        } catch {
            throw .notAnObjectOfTexts(language: language.rawValue)
        }
        for (key, text) in texts {
            guard let template = MessageTemplate(text) else {
                throw .badTemplate(language: language.rawValue, key: key)
            }
            templates[language, default: [:]][key] = template
        }
    }

    /// Checks that all languages have the same keys with the same placeholders. For the start and for tests.
    public func validate() throws(LoadError) {
        let languages = templates.keys.sorted { $0.rawValue < $1.rawValue }
        for key in Set(templates.values.flatMap(\.keys)).sorted() {
            let placeholders = languages.map { templates[$0]?[key]?.placeholders }
            guard Set(placeholders).count == 1 else {
                throw .unlike(key: key, languages: languages.map(\.rawValue))
            }
        }
    }

    public var languages: Set<Language> { Set(templates.keys) }

    /// The keys of one language.
    public func keys(_ language: Language) -> Set<String> { Set((templates[language] ?? [:]).keys) }

    /// A text in the language, else in English. An argument that is a program's word, such as a state, is written by
    /// the text `word.<name of the argument>.<value>`; a list separated by commas word by word.
    public func text(_ key: String, in language: Language, _ arguments: [String: String] = [:]) -> String? {
        guard let template = template(key, language) else { return nil }
        var worded = arguments
        for (name, value) in arguments {
            let slugs = value.split(separator: ", ", omittingEmptySubsequences: false)
            let words = slugs.map { self.template("word.\(name).\($0)", language)?.filled(with: [:]) }
            guard words.contains(where: { $0 != nil }) else { continue }
            worded[name] = zip(words, slugs).map { $0 ?? String($1) }
                .joined(separator: language == .arabic ? "، " : ", ")
        }
        return template.filled(with: worded)
    }

    private func template(_ key: String, _ language: Language) -> MessageTemplate? {
        templates[language]?[key] ?? templates[.english]?[key]
    }
}
