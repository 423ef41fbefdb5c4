/// A market is data: what it sells, in which words, by which workflow, on which terms. Adding one adds a file beside
/// ``assef``, its onboarding, its cities, and its name to ``Market/all``.
public struct Market: Sendable, Identifiable {
    /// How an account proves who it is.
    public enum SignIn: String, Sendable { case password, nafath }

    /// What confirms an account of somebody who registers with a password, before the first login.
    public enum Confirmation: String, Sendable { case none, email, sms }

    /// What makes a provider a verified one.
    public enum ProviderCheck: String, Sendable {
        /// An admin, who has looked at the papers.
        case admin
        /// Nafath's word on the job title; whoever came in another way waits for an admin.
        case nafath
        /// Nothing beyond the account's own confirmation.
        case confirmation
        /// An admin makes the account and invites the person; nobody asks for it himself.
        case invitation
    }

    /// How an order finds its provider.
    public enum Matching: String, Sendable, CaseIterable {
        /// The customer chooses one from a list.
        case direct
        /// It is shown to all, and the first one who takes it has it.
        case board
        /// An admin sends it to one.
        case assigned
        /// The platform offers it to the best one, and goes on to the next.
        case auto
    }

    /// Which workflow orders follow.
    public enum Workflow: String, Sendable, CaseIterable {
        case visit, homeCare, ride, food, bikeDropOff, bikePickUp, parcel

        /// Whether somebody does it, who is paid. A hire from a rack is the platform's own.
        public var hasProvider: Bool { self != .bikePickUp }

        /// Whether its customer sets the price; no promo code is good for it then.
        public var isCustomerPriced: Bool { self == .parcel }
    }

    /// When an order is paid.
    public enum Paying: String, Sendable, CaseIterable {
        /// Before anybody is asked: it is `pending` until then.
        case first
        /// After somebody has accepted it.
        case afterAcceptance
    }

    /// A kind of order that a market offers.
    public struct OrderKind: Sendable, Identifiable, Hashable {
        public let workflow: Workflow
        public let matching: Matching
        public let paying: Paying
        public let name: LocalizedText
        /// The titles that may do it; empty is all.
        public let titles: Set<String>
        /// The market's words where they are others for this kind.
        public let labels: [OrderSnapshot.State: StateLabel]
        /// For which of a customer's reports customer and provider see each other's contact while an admin has to decide.
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

        /// As orders name it.
        public var id: String { workflow.rawValue }
    }

    /// What a provider is by profession.
    public struct Title: Sendable, Identifiable {
        public let id: String
        public let name: LocalizedText
        /// What registers of professions call it, beside its name.
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
        /// The titles that may do it; empty is all.
        public let titles: Set<String>
        /// How long it takes, in minutes.
        public var minutes = 60
    }

    /// The market's words for a state, to customers and to providers.
    public struct StateLabel: Hashable, Sendable {
        public let customer: LocalizedText
        public let provider: LocalizedText
        /// Nil is the customers' words.
        public var merchant: LocalizedText?

        /// Both are told the same.
        static func same(_ english: String, _ arabic: String) -> StateLabel {
            StateLabel(customer: ["en": english, "ar": arabic], provider: ["en": english, "ar": arabic])
        }
    }

    public let id: String
    public let name: LocalizedText
    public let signIn: [SignIn]
    /// What people bring when they register and before they work.
    public var onboarding = Onboarding()
    /// What can be ordered; each workflow once.
    public let kinds: [OrderKind]
    public let titles: [Title]
    public let serviceTypes: [ServiceType]
    public let labels: [OrderSnapshot.State: StateLabel]
    /// What the settings are until an admin changes them.
    public let defaults: MarketSettings
    /// Why orders are reported, in the order in which they are shown.
    public var reportReasons: [ReportReason] = [.other]
    /// Whether only who has stored a card that can be charged orders anything (W3), by whatever the order is paid then.
    public var requiresPaymentMethod = false

    public static let all: [Market] = [assef, edencare, btnc, carrepsa]

    public var confirmation: Confirmation { onboarding.confirmation }
    public var providerCheck: ProviderCheck { onboarding.providerCheck }

    /// The market of this id.
    public static func named(_ id: String) -> Market? { all.first { $0.id == id } }

    /// Whether somebody could take cash for each of its orders; for a hire from a rack nobody is there who does.
    public var takesCash: Bool { kinds.allSatisfy(\.workflow.hasProvider) }

    /// The title that a register of professions means by a job title, in whatever case; nil for jobs of other kinds.
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

    /// The kind of order with this workflow's name; nil when the market has none such.
    public func kind(_ workflow: String) -> OrderKind? { kinds.first { $0.id == workflow } }

    public var services: [Service] { serviceTypes.flatMap(\.services) }

    /// The label of a state, of a kind of order where that has its own, else the state's own name.
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
