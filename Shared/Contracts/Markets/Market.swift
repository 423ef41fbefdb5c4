/// A market is data: its services, texts, workflows and terms. Admins change its settings and its catalogue while it runs;
/// the file has what holds until then, and a service reads the market of now in `LiveMarkets`. To add one, add a file
/// beside ``assef``, its onboarding, its cities, a line in the table of ``talkRules(of:)``, and its name in ``Market/all``.
public struct Market: Sendable, Identifiable {
    /// How a person logs in.
    public enum SignIn: String, Sendable { case password, nafath }

    /// The way in which an account that registered with a password is confirmed before its first login.
    public enum Confirmation: String, Sendable { case none, email, sms }

    /// The way in which a provider is verified.
    public enum ProviderCheck: String, Sendable {
        /// An admin who has checked the papers.
        case admin
        /// Nafath's job title; a provider who came in another way waits for an admin.
        case nafath
        /// The account's confirmation alone.
        case confirmation
        /// An admin creates the account and invites the person; the role cannot be asked for.
        case invitation
    }

    /// How an order finds its provider.
    public enum Matching: String, Sendable, CaseIterable {
        /// The customer chooses one from a list.
        case direct
        /// All providers see it, and the first one to accept gets it.
        case board
        /// An admin sends it to one.
        case assigned
        /// The platform offers it to the best one, then to the next.
        case auto
    }

    /// The workflow of a kind of orders.
    public enum Workflow: String, Sendable, CaseIterable {
        case visit, homeCare, ride, food, bikeDropOff, bikePickUp, parcel

        /// Whether a provider does the work and is paid. A bike from a rack is rented by the platform itself.
        public var hasProvider: Bool { self != .bikePickUp }

        /// Whether the customer sets the price; promo codes do not apply then.
        public var isCustomerPriced: Bool { self == .parcel }
    }

    /// When an order is paid.
    public enum Paying: String, Sendable, CaseIterable {
        /// Before a provider is asked: the order is `pending` until then.
        case first
        /// After a provider has accepted it.
        case afterAcceptance
    }

    /// A kind of order that a market offers.
    public struct OrderKind: Sendable, Identifiable, Hashable {
        public let workflow: Workflow
        public let matching: Matching
        public let paying: Paying
        public internal(set) var name: LocalizedText
        /// The titles that may do the work; empty for all.
        public let titles: Set<String>
        /// Labels for this kind where they differ from the market's.
        public internal(set) var labels: [OrderSnapshot.State: StateLabel]
        /// The reasons of customers' reports for which customer and provider see each other's contact while an admin's
        /// decision is pending.
        public let contactReasons: Set<String>
        /// Whether customer (or the relative who is visited) and provider see each other's contact from the acceptance, with
        /// a locked deposit where there is one, until a day after the end (P8).
        public let opensContact: Bool

        public init(
            _ workflow: Workflow, _ matching: Matching, paying: Paying, name: LocalizedText, titles: Set<String> = [],
            labels: [OrderSnapshot.State: StateLabel] = [:], contactReasons: Set<String> = [],
            opensContact: Bool = false
        ) {
            self.workflow = workflow
            self.matching = matching
            self.paying = paying
            self.name = name
            self.titles = titles
            self.labels = labels
            self.contactReasons = contactReasons
            self.opensContact = opensContact
        }

        /// The kind's name in orders.
        public var id: String { workflow.rawValue }
    }

    /// A profession of providers.
    public struct Title: Sendable, Identifiable {
        public let id: String
        public let name: LocalizedText
        /// The name for a woman, where it is another one.
        public var feminine: LocalizedText?
        /// How a sentence names somebody with the title (“with the nurse”); nil for the name.
        public var spoken: LocalizedText?
        public var spokenFeminine: LocalizedText?
        /// Other names for it in registers of professions.
        public var jobTitles: [String] = []
        /// Whether its words alone say no profession: a register's entry of them is no proof, and an admin decides.
        public var isAmbiguous = false

        /// The name of the title of a person of this gender.
        public func name(of gender: String?) -> LocalizedText { gender == "female" ? feminine ?? name : name }

        /// The title of a person within a sentence.
        func spoken(of gender: String?, in language: String) -> String {
            if let words = gender == "female" ? spokenFeminine ?? spoken : spoken { return words.text(in: language) }
            return name(of: gender).text(in: language).lowercased()
        }
    }

    /// The title and gender of an order's provider, for labels that name the title.
    public struct ProviderTitle: Hashable, Sendable {
        public let title: String?
        public let gender: String?

        public init(title: String?, gender: String?) {
            self.title = title
            self.gender = gender
        }
    }

    public struct ServiceType: Sendable, Identifiable {
        public let id: String
        public let name: LocalizedText
        public let brief: LocalizedText
        public let image: String
        public let services: [Service]
    }

    public struct Service: Sendable, Identifiable {
        public let id: String
        public let name: LocalizedText
        public let brief: LocalizedText
        public let image: String
        public let instructions: LocalizedText
        public let requirements: LocalizedText
        /// The titles that may do the work; empty for all.
        public let titles: Set<String>
        /// The duration in minutes.
        public var minutes = 60
    }

    /// A market's labels of a state, for customers and providers.
    public struct StateLabel: Hashable, Sendable {
        public let customer: LocalizedText
        public let provider: LocalizedText
        /// Nil for the customers' label.
        public var merchant: LocalizedText?

        /// The same label for both.
        static func same(_ english: String, _ arabic: String) -> StateLabel {
            StateLabel(customer: ["en": english, "ar": arabic], provider: ["en": english, "ar": arabic])
        }
    }

    public let id: String
    public let name: LocalizedText
    public let signIn: [SignIn]
    /// The data that people bring at registration and before they work.
    public var onboarding = Onboarding()
    /// The kinds that can be ordered; each workflow once. Empty where nothing is ordered.
    public internal(set) var kinds: [OrderKind]
    public internal(set) var titles: [Title]
    public internal(set) var serviceTypes: [ServiceType]
    public internal(set) var labels: [OrderSnapshot.State: StateLabel]
    /// The settings until an admin changes them.
    public let defaults: MarketSettings
    /// The reasons of reports, in the order of display.
    public var reportReasons: [ReportReason] = [.other]
    /// The text that stands beside fields in which people write in their own words; nil for none (Q10).
    public var freeTextNote: LocalizedText?
    /// Whether only customers with a stored chargeable card may order (W3), whatever the order is paid with.
    public var requiresPaymentMethod = false
    /// What admins have retired of the catalogue: nothing new is made with it, and its words stay.
    var retired = Retired()
    /// The places of entries in their sections, where admins have changed the catalogue.
    var positions: [CatalogueEntry.Key: Int] = [:]

    public static let all: [Market] = [assef, edencare, btnc, carrepsa, hajji]

    public var confirmation: Confirmation { onboarding.confirmation }
    public var providerCheck: ProviderCheck { onboarding.providerCheck }

    /// The market with this id.
    public static func named(_ id: String) -> Market? { all.first { $0.id == id } }

    /// Whether cash is possible for all its orders; a rented bike's rack cannot take cash.
    public var takesCash: Bool { kinds.allSatisfy(\.workflow.hasProvider) }

    /// The kind of order with this workflow's name; nil when the market does not have it.
    public func kind(_ workflow: String) -> OrderKind? { kinds.first { $0.id == workflow } }

    public var services: [Service] { serviceTypes.flatMap(\.services) }

    /// The word for `{title}` in labels where the provider's title is not known.
    private static let anyProvider: LocalizedText = ["en": "service provider", "ar": "مقدم الخدمة"]

    /// Fills `{title}` of a label with the provider's title (Assef: "With nurse").
    public func filled(_ label: LocalizedText, provider: ProviderTitle?, in language: String) -> String {
        let words = label.text(in: language)
        guard words.contains("{title}") else { return words }
        let title = self.title(provider?.title)
        return words.replacing(
            "{title}", with: title?.spoken(of: provider?.gender, in: language) ?? Self.anyProvider.text(in: language))
    }

    /// The label of a state: the kind's own, else the market's, else the state's name.
    ///
    /// - Parameter provider: of the order, for labels that name the title.
    public func label(
        of state: OrderSnapshot.State, for role: OrderSnapshot.Actor, in language: String, kind: String? = nil,
        provider: ProviderTitle? = nil
    ) -> String {
        guard let label = kind.flatMap({ self.kind($0)?.labels[state] }) ?? labels[state] else {
            return Self.stateNames[state]?.text(in: language) ?? state.rawValue
        }
        let words =
            switch role {
            case .provider: label.provider
            case .merchant: label.merchant ?? label.customer
            case .customer, .admin, .system: label.customer
            }
        return filled(words, provider: provider, in: language)
    }
}
