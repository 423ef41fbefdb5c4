import Contracts
import ServiceKit

/// Fields of forms about accounts. As in all of ``Form``, a field notes its error and parsing goes on.
extension Form {
    /// A name that is not required may be left out, but not be emptied.
    func personName(_ field: String, required: Bool = true) -> PersonName? {
        let text = string(
            field, length: 1...PersonName.maximumCharacters, required: required, emptyIsAbsent: false)
        guard let text else { return nil }
        do throws(PersonName.Fault) {
            return try PersonName(text)
        } catch {
            switch error {
            case .empty: reject(field, "required")
            case .tooLong: reject(field, "too-long", ["maximum": String(PersonName.maximumCharacters)])
            case .unshowable: reject(field, "name-characters")
            }
            return nil
        }
    }

    func emailAddress(_ field: String, required: Bool = true) -> EmailAddress? {
        guard let text = email(field, required: required) else { return nil }
        guard let address = EmailAddress(text) else {
            reject(field, "not-an-email")
            return nil
        }
        return address
    }

    func mobileNumber(_ field: String, required: Bool = true) -> MobileNumber? {
        guard let text = string(field, length: 1...40, required: required) else { return nil }
        guard let number = MobileNumber(text) else {
            reject(field, "not-a-phone-number")
            return nil
        }
        return number
    }

    /// The number of a person to look up. Also accepts number types that registration no longer accepts.
    func knownMobileNumber(_ field: String, required: Bool = true) -> MobileNumber? {
        guard let text = string(field, length: 1...40, required: required) else { return nil }
        guard let number = MobileNumber(known: text) else {
            reject(field, "not-a-phone-number")
            return nil
        }
        return number
    }

    /// The code of an SMS. Text of another form is rejected here and costs no try.
    func proofCode(_ field: String, required: Bool = true) -> Redacted<String>? {
        digits(field, count: ProofRule.codeDigits, required: required)
    }

    /// A newly chosen password, checked by the rules for passwords. A password that is only compared is read by
    /// `secret`.
    func newPassword(_ field: String) -> Redacted<String>? {
        guard let password = secret(field, length: 1...4 * PasswordRule.maximumCharacters) else { return nil }
        guard !PasswordRule.isTooLong(password.revealed) else {
            reject(field, "too-long", ["maximum": String(PasswordRule.maximumCharacters)])
            return nil
        }
        guard PasswordRule.accepts(password.revealed) else {
            reject(field, "password-rules", ["minimum": String(PasswordRule.minimumCharacters)])
            return nil
        }
        return password
    }

    /// A language that has a catalogue.
    func language(_ field: String, of languages: Set<Account.Language>) -> Account.Language? {
        guard let text = string(field, length: 1...20, required: false) else { return nil }
        let language = Account.Language(rawValue: text)
        guard languages.contains(language) else {
            reject(field, "not-a-choice", ["choices": languages.map(\.rawValue).sorted().joined(separator: ", ")])
            return nil
        }
        return language
    }

    func market(_ field: String, of markets: (String) -> Market? = Market.named) -> Market? {
        guard let text = string(field, length: 1...100) else { return nil }
        guard let market = markets(text) else {
            reject(field, "not-a-choice", ["choices": Market.all.map(\.id).joined(separator: ", ")])
            return nil
        }
        return market
    }

    /// The id of a profession of the market.
    func title(of market: Market, required: Bool) -> String? {
        guard let title = string("title", length: 1...100, required: required) else { return nil }
        guard market.titles.contains(where: { $0.id == title }) else {
            reject("title", "not-a-choice", ["choices": market.titles.map(\.id).joined(separator: ", ")])
            return nil
        }
        return title
    }

    /// `role` and `title`: the role that an admin of the market gives to a person.
    func role(in market: Market) -> Role? {
        enum Kind: String, CaseIterable { case customer, provider }
        let kind = choice("role", of: Kind.self)
        let title = title(of: market, required: kind == .provider)
        switch (kind, title) {
        case (.customer?, nil): return .customer(in: market.id)
        case (.customer?, _?):
            reject("title", "invalid-value")
            return nil
        case (.provider?, let title?): return .provider(in: market.id, title: title)
        default: return nil
        }
    }

    /// `market`, `role` and `title`: a role that people may take by themselves, so never admin.
    ///
    /// - Parameter markets: the market with an id.
    func requestedRole(of markets: (String) -> Market?) -> Role? {
        enum Kind: String, CaseIterable { case customer, provider }
        let market = market("market", of: markets)
        let kind = choice("role", of: Kind.self)
        let title = string("title", length: 1...100, required: kind == .provider)
        switch (kind, market, title) {
        case (.customer?, _, _?):
            reject("title", "invalid-value")
            return nil
        case (.customer?, let market?, nil): return .customer(in: market.id)
        case (.provider?, let market?, let title?):
            guard market.titles.contains(where: { $0.id == title }) else {
                reject("title", "not-a-choice", ["choices": market.titles.map(\.id).joined(separator: ", ")])
                return nil
            }
            return .provider(in: market.id, title: title)
        default: return nil
        }
    }
}
