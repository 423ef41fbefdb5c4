extension Market {
    /// The data that a market asks for: terms, ages, details of a role, and papers before a provider may work (I1, I7).
    public struct Onboarding: Sendable {
        /// The minimum age of customers; below `adultBelow` they name an accompanying adult.
        public struct CustomerAges: Sendable, Hashable {
            public let minimum: Int
            public let adultBelow: Int

            public init(minimum: Int, adultBelow: Int) {
                self.minimum = minimum
                self.adultBelow = adultBelow
            }
        }

        /// The terms that a person accepts with a role. Another text gets another version, and people are asked again.
        public struct Terms: Sendable, Hashable {
            public let version: String
            public let text: LocalizedText

            public init(version: String, text: LocalizedText) {
                self.version = version
                self.text = text
            }
        }

        /// A typed detail, beside name and contact.
        public struct Detail: Sendable, Identifiable {
            /// One of the values of a detail with a fixed list.
            public struct Choice: Sendable, Hashable, Identifiable {
                public let id: String
                public let name: LocalizedText

                public init(_ id: String, _ name: LocalizedText) {
                    self.id = id
                    self.name = name
                }
            }

            public enum Kind: Sendable, Hashable {
                case text(maximum: Int)
                /// A person's name.
                case person
                case mobile
                /// An e-mail address.
                case email
                case year(ClosedRange<Int>)
                /// A day in the past, at least this many years ago.
                case since(years: Int)
                case choice([Choice])
            }

            public let id: String
            /// The label in forms.
            public let name: LocalizedText
            public let kind: Kind
            /// The titles that bring it; empty for all.
            public let titles: Set<String>
            public let isRequired: Bool

            public init(
                _ id: String, _ name: LocalizedText, _ kind: Kind, titles: Set<String> = [], isRequired: Bool = true
            ) {
                self.id = id
                self.name = name
                self.kind = kind
                self.titles = titles
                self.isRequired = isRequired
            }
        }

        /// An uploaded document that an admin checks.
        public struct Paper: Sendable, Identifiable {
            public let id: String
            public let name: LocalizedText
            /// The titles that bring it; empty for all.
            public let titles: Set<String>
            /// Whether verification requires it.
            public let isRequired: Bool
            /// Whether it holds until a day that is written on it; verification names that day.
            public let expires: Bool

            public init(
                _ id: String, _ name: LocalizedText, titles: Set<String> = [], isRequired: Bool = true,
                expires: Bool = false
            ) {
                self.id = id
                self.name = name
                self.titles = titles
                self.isRequired = isRequired
                self.expires = expires
            }
        }

        /// The way in which an account that registered with a password is confirmed.
        public var confirmation = Confirmation.none
        public var providerCheck = ProviderCheck.admin
        /// The terms that are accepted with each role; nil for no terms.
        public var terms: Terms?
        /// Whether nobody acts as customer or provider who has not accepted the terms in their present version, however the
        /// account came to be (X8). Elsewhere people are asked, and may go on.
        public var enforcesTerms = false
        /// Nil when customers are not asked for a date of birth.
        public var customerAges: CustomerAges?
        /// Whether customers register with an address, which becomes their first saved place.
        public var asksAddress = false
        /// The roles with which a billing address is given (B4): `customer`, or a provider's title.
        public var billingAddressOf: Set<String> = []
        /// Whether customers can name relatives when they register, with whom they are to be linked (I9).
        public var asksFamily = false
        /// The minimum age of a provider by title; a title that is absent has none.
        public var providerAges: [String: Int] = [:]
        public var details: [Detail] = []
        public var papers: [Paper] = []
        /// Whether people of the market see each other's e-mail address and mobile number (P8).
        public var opensContact = false
        /// Whether a person may show an own e-mail address or mobile number to all of the market (P8).
        public var publishesContact = false

        public init() {}

        /// The details that a provider of this title brings.
        public func details(of title: String) -> [Detail] {
            details.filter { $0.titles.isEmpty || $0.titles.contains(title) }
        }

        /// Whether a provider of this title has to bring papers or details before verification.
        public func asksPapers(of title: String) -> Bool {
            papers(of: title).contains(where: \.isRequired) || details(of: title).contains(where: \.isRequired)
        }

        /// The papers that a provider of this title may bring.
        public func papers(of title: String) -> [Paper] {
            papers.filter { $0.titles.isEmpty || $0.titles.contains(title) }
        }
    }
}
