import Foundation

/// A person as Nafath knows one (I5).
struct NafathPerson: Hashable, Sendable {
    /// What Nafath has to say of everybody and did not say, or said so that it cannot be read.
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
        // try?: what is no name is told of as missing.
        let name = try? PersonName(parts)
        // Providers that know one country only leave the + away.
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
    /// ASCII letters and digits, upper case: what two writings of one number have in common.
    let text: String

    /// Spaces, hyphens and marks of direction do not count; digits of other scripts are the same digits. Nil for what is none.
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
    /// Takes what Nafath says of the person's profession in a market: a title of the market makes a verified provider, none
    /// a customer. What an admin has decided stands.
    ///
    /// - Parameters:
    ///   - title: of the market, by its id.
    ///   - verifies: whether the market takes Nafath's word for it.
    /// - Returns: the role that is new or different; nil when all is as it was.
    mutating func take(_ person: NafathPerson, title: String?, verifies: Bool, in market: String) -> Role? {
        guard let title else {
            guard !roles.contains(where: { $0.market == market }) else { return nil }
            return put(.customer(in: market))
        }
        var role = Role.provider(in: market, title: title)
        // Nafath knows the title of the person that it names, and of nobody else.
        let isSame = name == person.name && (person.gender == nil || gender == person.gender)
        if verifies, isSame { role.state = .verified }
        guard let old = self.role(.provider, in: market) else { return put(role) }
        guard old.state == .waiting, old.reason == nil, role.state == .verified else { return nil }
        return put(role)
    }
}
