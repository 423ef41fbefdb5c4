import Foundation

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
            texts = try JSONDecoder().decode([String: String].self, from: Data(json))
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

    /// A text in the language, else in English.
    public func text(_ key: String, in language: Language, _ arguments: [String: String] = [:]) -> String? {
        (templates[language]?[key] ?? templates[.english]?[key])?.filled(with: arguments)
    }
}
