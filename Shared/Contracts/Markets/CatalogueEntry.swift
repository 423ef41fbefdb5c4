/// One thing of a market's catalogue that its admins may change. The market's file has the first ones
/// (``Market/catalogue``); what admins change or add stands over the file (``Market/with(_:)``).
public struct CatalogueEntry: Codable, Hashable, Sendable {
    /// The parts of a catalogue, in the order of display.
    public enum Section: String, Codable, CaseIterable, Sendable {
        case serviceTypes = "service-types"
        case services
        /// Professions of providers.
        case titles
        case reportReasons = "report-reasons"
        /// Words for the states of orders.
        case labels
        /// Names of the kinds of orders.
        case kinds

        /// Whether admins may add and retire entries. Of the others they change only the words, because programs decide by
        /// the entries.
        public var isOpen: Bool {
            switch self {
            case .serviceTypes, .services, .titles, .reportReasons: true
            case .labels, .kinds: false
            }
        }

        /// The texts that an entry must have.
        public var requiredTexts: [Text] {
            switch self {
            case .serviceTypes: [.name, .brief]
            case .services: [.name, .brief, .instructions, .requirements]
            case .labels: [.customer, .provider]
            case .titles, .reportReasons, .kinds: [.name]
            }
        }

        public var optionalTexts: [Text] {
            switch self {
            case .titles: [.feminine, .spoken, .spokenFeminine]
            case .labels: [.merchant]
            case .serviceTypes, .services, .reportReasons, .kinds: []
            }
        }

        public var hasImage: Bool { self == .serviceTypes || self == .services }
    }

    /// A text of an entry.
    public enum Text: String, CaseIterable, Sendable {
        case name, brief, instructions, requirements
        /// Of titles: for a woman, and within a sentence.
        case feminine, spoken, spokenFeminine
        /// Of labels: to each party.
        case customer, provider, merchant
    }

    public var section: Section
    /// Unique in its section, and never changed: orders, roles and reports name it.
    public var id: String
    /// False for a retired entry: nothing new can be made with it, and what there is still shows its words.
    public var active: Bool
    /// Its place in the section, from the smallest.
    public var position: Int
    /// By ``Text``.
    public var texts: [String: LocalizedText]
    /// Of service types and services: a drawing of the program (`meals.svg`), or the name of an uploaded image.
    public var image: String?
    /// Of a service: the id of its type.
    public var type: String?
    /// Of a service: the titles that may do it; empty for all.
    public var titles: [String]?
    /// Of a service: its duration.
    public var minutes: Int?
    /// Of a title: other names for it in registers of professions.
    public var spellings: [String]?
    /// Of a title: whether its words alone say no profession.
    public var ambiguous: Bool?
    /// Of a reason: the parties that may give it; empty for a reason that only the platform gives.
    public var parties: [OrderSnapshot.Actor]?

    public init(
        _ section: Section, _ id: String, active: Bool = true, position: Int, texts: [Text: LocalizedText]
    ) {
        self.section = section
        self.id = id
        self.active = active
        self.position = position
        self.texts = Dictionary(texts.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
    }

    public subscript(text: Text) -> LocalizedText? {
        get { texts[text.rawValue] }
        set { texts[text.rawValue] = newValue }
    }

    /// The id in the whole catalogue.
    public var key: Key { Key(section: section, id: id) }

    public struct Key: Hashable, Sendable {
        public let section: Section
        public let id: String

        public init(section: Section, id: String) {
            self.section = section
            self.id = id
        }
    }

    /// Where a picture of a service is served (C1): drawings by dispatch, uploaded ones by admin, which keeps them.
    public static func imagePath(of name: String, in market: String) -> String {
        isUploaded(name)
            ? "/admin/v1/markets/\(market)/images/\(name)" : "/dispatch/v1/markets/\(market)/images/\(name)"
    }

    /// Whether a name is that of an uploaded image: the SHA-256 of its bytes.
    public static func isUploaded(_ name: String) -> Bool {
        name.utf8.count == 64
            && name.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
