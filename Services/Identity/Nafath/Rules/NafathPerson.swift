import Foundation

/// A person as described by Nafath (I5).
struct NafathPerson: Hashable, Sendable {
    /// A required claim is missing or unreadable.
    struct Incomplete: Error, Equatable {
        /// `nationalID`, `name`, `mobile`.
        let missing: [String]
    }

    let nationalID: NationalID
    let name: PersonName
    let mobile: MobileNumber
    let gender: Account.Gender?
    /// In Nafath's words; the market knows which of them are its titles.
    let jobTitle: String?

    init(
        nationalID: String?, firstName: String?, lastName: String?, mobile: String?, gender: String?,
        jobTitle: String?
    ) throws(Incomplete) {
        let id = nationalID.flatMap(NationalID.init)
        let parts = [firstName, lastName].compactMap { $0 }.joined(separator: " ")
        // try?: an invalid name is reported as missing.
        let name = try? PersonName(parts)
        // Providers for one country may leave out the `+`.
        let number = mobile.flatMap {
            MobileNumber($0, callingCode: MobileNumber.nafathCallingCode) ?? MobileNumber("+" + $0)
        }
        guard let id, let name, let number else {
            let parts = [("nationalID", id == nil), ("name", name == nil), ("mobile", number == nil)]
            throw Incomplete(missing: parts.filter(\.1).map(\.0))
        }
        self.nationalID = id
        self.name = name
        self.mobile = number
        self.gender = gender.flatMap(Self.gender)
        self.jobTitle = jobTitle
    }

    private static func gender(_ text: String) -> Account.Gender? {
        switch text.lowercased() {
        case "female", "f", "أنثى", "انثى": .female
        case "male", "m", "ذكر": .male
        default: nil
        }
    }
}

/// The number of a national identity card or of a residence permit.
struct NationalID: Hashable, Sendable {
    /// ASCII letters and digits in upper case: the form in which different spellings of one number are equal.
    let text: String

    /// Ignores spaces, hyphens and direction marks, and accepts digits of all scripts. Nil for other texts.
    init?(_ raw: String) {
        var text = ""
        for scalar in raw.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .format, .dashPunctuation: continue
            default: break
            }
            if scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue {
                text.append(String(Int(value)))
            } else if scalar.isASCII, scalar.properties.isAlphabetic {
                text.append(String(scalar).uppercased())
            } else {
                return nil
            }
        }
        guard (5...32).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}

extension Account {
    /// Applies Nafath's job title in a market, at each sign-in anew: with a title of the market the person becomes a
    /// provider, verified where the market accepts it; without one, a customer. A provider verified by Nafath's title
    /// gets the new title, and waits for an admin when it is none of the market's any more. An admin's decision stands.
    ///
    /// - Parameters:
    ///   - title: a title of the market, by its id.
    ///   - verifies: whether the market accepts Nafath's title as verification.
    ///   - isDecided: whether the provider's present state is not Nafath's work, but an admin's.
    /// - Returns: the new or changed role; nil when nothing changes.
    mutating func take(
        _ person: NafathPerson, title: String?, verifies: Bool, isDecided: Bool, in market: String
    ) -> Role? {
        guard let title else {
            if isVerifiedByNafath(in: market, isDecided: isDecided), let old = role(.provider, in: market) {
                return waitAgain(old) ? role(like: old) : nil
            }
            guard !roles.contains(where: { $0.market == market }) else { return nil }
            return put(.customer(in: market))
        }
        var role = Role.provider(in: market, title: title)
        // Nafath's title belongs to the person that Nafath names, so the account's name and gender must be the same.
        let isSame = name == person.name && (person.gender == nil || gender == person.gender)
        if verifies, isSame { role.state = .verified }
        guard let old = self.role(like: role) else { return put(role) }
        if old.title != title, isVerifiedByNafath(in: market, isDecided: isDecided) { return put(role) }
        guard old.state == .waiting, old.reason == nil, role.state == .verified else { return nil }
        return put(role)
    }

    /// Whether Nafath's title alone verifies the provider in the market. A restaurant is never verified so.
    func isVerifiedByNafath(in market: String, isDecided: Bool) -> Bool {
        guard !isDecided, let role = role(.provider, in: market) else { return false }
        return role.state == .verified && !role.sells
    }
}
