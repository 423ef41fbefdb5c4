/// A market is data: its services, texts, workflows and terms. To add one, add a file beside ``assef``, its onboarding,
/// its cities, and its name in ``Market/all``.
public struct Market: Sendable, Identifiable {
    /// How a person logs in.
    public enum SignIn: String, Sendable { case password, nafath }

    /// What confirms an account that registered with a password, before its first login.
    public enum Confirmation: String, Sendable { case none, email, sms }

    /// What verifies a provider.
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
        public let name: LocalizedText
        /// The titles that may do the work; empty for all.
        public let titles: Set<String>
        /// Labels for this kind where they differ from the market's.
        public let labels: [OrderSnapshot.State: StateLabel]
        /// The reasons of customers' reports for which customer and provider see each other's contact while an admin's
        /// decision is pending.
        public let contactReasons: Set<String>

        public init(
            _ workflow: Workflow, _ matching: Matching, paying: Paying, name: LocalizedText, titles: Set<String> = [],
            labels: [OrderSnapshot.State: StateLabel] = [:], contactReasons: Set<String> = []
        ) {
            self.workflow = workflow
            self.matching = matching
            self.paying = paying
            self.name = name
            self.titles = titles
            self.labels = labels
            self.contactReasons = contactReasons
        }

        /// The kind's name in orders.
        public var id: String { workflow.rawValue }
    }

    /// A profession of providers.
    public struct Title: Sendable, Identifiable {
        public let id: String
        public let name: LocalizedText
        /// Other names for it in registers of professions.
        public var jobTitles: [String] = []
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
    /// The kinds that can be ordered; each workflow once.
    public let kinds: [OrderKind]
    public let titles: [Title]
    public let serviceTypes: [ServiceType]
    public let labels: [OrderSnapshot.State: StateLabel]
    /// The settings until an admin changes them.
    public let defaults: MarketSettings
    /// The reasons of reports, in the order of display.
    public var reportReasons: [ReportReason] = [.other]
    /// Whether only customers with a stored chargeable card may order (W3), whatever the order is paid with.
    public var requiresPaymentMethod = false

    public static let all: [Market] = [assef, edencare, btnc, carrepsa]

    public var confirmation: Confirmation { onboarding.confirmation }
    public var providerCheck: ProviderCheck { onboarding.providerCheck }

    /// The market with this id.
    public static func named(_ id: String) -> Market? { all.first { $0.id == id } }

    /// Whether cash is possible for all its orders; a rented bike's rack cannot take cash.
    public var takesCash: Bool { kinds.allSatisfy(\.workflow.hasProvider) }

    /// The title that a register of professions means by a job title, in any case; nil for other jobs.
    public func title(ofJob job: String?) -> Title? {
        func folded(_ text: some StringProtocol) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        }
        guard let job = job.map(folded), !job.isEmpty else { return nil }
        return titles.first { title in
            ([title.id, title.name.text(in: "en"), title.name.text(in: "ar")] + title.jobTitles).contains {
                folded($0) == job
            }
        }
    }

    /// The kind of order with this workflow's name; nil when the market does not have it.
    public func kind(_ workflow: String) -> OrderKind? { kinds.first { $0.id == workflow } }

    public var services: [Service] { serviceTypes.flatMap(\.services) }

    /// The label of a state: the kind's own, else the market's, else the state's name.
    public func label(
        of state: OrderSnapshot.State, for role: OrderSnapshot.Actor, in language: String, kind: String? = nil
    ) -> String {
        guard let label = kind.flatMap({ self.kind($0)?.labels[state] }) ?? labels[state] else { return state.rawValue }
        let words =
            switch role {
            case .provider: label.provider
            case .merchant: label.merchant ?? label.customer
            case .customer, .admin, .system: label.customer
            }
        return words.text(in: language)
    }
}
