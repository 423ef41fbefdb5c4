import Contracts
import Foundation
import ServiceKit

/// The fields of a bank account: holder, bank name, and the number in one of three forms: `iban`; `bsb` with
/// `accountNumber`; or `transit` and `institution` with `accountNumber`.
struct BankAccountForm {
    /// The fields of all forms of a number.
    static let numberFields: Set<String> = ["iban", "bsb", "transit", "institution", "accountNumber"]

    let holder: String
    let bankName: String
    let number: BankNumber?

    /// Returns nil when a field is invalid.
    init?(_ form: Form, needsNumber: Bool) {
        let holder = form.words("holder", length: 2...100)
        let bankName = form.words("bankName", length: 2...100)
        let number = Self.number(form, isNeeded: needsNumber)
        guard let holder, let bankName, form.isValid else { return nil }
        self.holder = holder
        self.bankName = bankName
        self.number = number
    }

    /// The names of the number's fields that the form has.
    static func given(_ form: Form) -> Set<String> {
        numberFields.filter(form.has)
    }

    private static func number(_ form: Form, isNeeded: Bool) -> BankNumber? {
        let given = given(form)
        if given.contains("bsb") || given == ["accountNumber"] {
            for other in ["iban", "transit", "institution"] where given.contains(other) {
                form.reject(other, "only-one-bank-number")
            }
            let bsb = part("bsb", of: form, "not-a-bsb", AustralianBankNumber.bsb)
            let account = part("accountNumber", of: form, "not-an-account-number", AustralianBankNumber.account)
            guard let bsb, let account else { return nil }
            return .australian(AustralianBankNumber(bsb: bsb, account: account))
        }
        if given.contains("transit") || given.contains("institution") {
            if given.contains("iban") { form.reject("iban", "only-one-bank-number") }
            let transit = part("transit", of: form, "not-a-transit-number", CanadianBankNumber.transit)
            let institution = part("institution", of: form, "not-an-institution", CanadianBankNumber.institution)
            let account = part("accountNumber", of: form, "not-an-account-number", CanadianBankNumber.account)
            guard let transit, let institution, let account else { return nil }
            return .canadian(CanadianBankNumber(transit: transit, institution: institution, account: account))
        }
        guard let text = form.code("iban", length: 10...60, required: isNeeded) else { return nil }
        if given.contains("accountNumber") { form.reject("accountNumber", "only-one-bank-number") }
        guard let iban = IBAN(text.revealed) else {
            form.reject("iban", "not-an-iban")
            return nil
        }
        return .iban(iban)
    }

    private static func part(
        _ field: String, of form: Form, _ code: String, _ read: (String) -> String?
    ) -> String? {
        guard let text = form.code(field, length: 1...40) else { return nil }
        if let part = read(text.revealed) { return part }
        form.reject(field, code)
        return nil
    }

    func destination(_ number: BankNumber, _ handedOver: PaymentProvider.HandedOver) -> PayoutDestination {
        PayoutDestination(
            kind: .bankAccount, reference: handedOver.reference, holder: holder, bankName: bankName,
            country: number.country, lastFour: number.lastFour, fingerprint: handedOver.fingerprint)
    }
}

extension BankNumber.Form {
    /// - Throws: a 422 ``Problem`` when such an account is not paid in the currency.
    func checkCurrency(_ paid: String, field: String? = nil) throws(Problem) {
        guard let currency, currency != paid else { return }
        throw .invalidFields([
            FieldProblem(
                JSONPointer.root.appending(field ?? self.field), "bank-account-other-currency",
                ["currency": currency])
        ])
    }
}
