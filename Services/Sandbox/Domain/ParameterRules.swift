/// The parameters of a request and the forms of their values. Stripe refuses every other parameter, so a caller's spelling
/// mistake is found here and not at Stripe.
struct ParameterRules: Sendable {
    enum Form: Sendable, Equatable {
        case text, integer, boolean
        case range(ClosedRange<Int>)
        case choice([String])
    }

    /// As at Stripe.
    static let metadataLimit = 50
    static let metadataNameLimit = 40
    static let metadataValueLimit = 500

    private let forms: [String: Form]
    /// Whether names of the caller's own are allowed: `metadata[order]`.
    private let hasMetadata: Bool

    init(_ forms: [String: Form] = [:], hasMetadata: Bool = false) {
        self.forms = forms
        self.hasMetadata = hasMetadata
    }

    var names: [String] { forms.keys.sorted() }

    func check(_ form: FormParameters) throws(StripeError) {
        let names = form.names
        let unknown = names.filter { forms[$0] == nil && !isMetadata($0) }
        guard unknown.isEmpty else { throw .unknownParameters(unknown) }
        for name in names {
            guard let wanted = forms[name] else { continue }
            guard let value = form[name] else { throw .emptyValue(name) }
            try Self.check(value, name, wanted)
        }
        try Self.checkMetadata(form.group("metadata"))
    }

    private func isMetadata(_ name: String) -> Bool {
        guard hasMetadata, name.hasPrefix("metadata["), name.hasSuffix("]") else { return false }
        let inner = name.dropFirst("metadata[".count).dropLast()
        return !inner.isEmpty && !inner.contains("[") && !inner.contains("]")
    }

    private static func check(_ value: String, _ name: String, _ form: Form) throws(StripeError) {
        switch form {
        case .text: break
        case .integer:
            guard Int(value) != nil else { throw .invalidInteger(value, name) }
        case .boolean:
            guard value == "true" || value == "false" else {
                throw .invalid("Invalid boolean: \(value)", param: name)
            }
        case .range(let allowed):
            guard let number = Int(value) else { throw .invalidInteger(value, name) }
            guard number >= allowed.lowerBound else {
                throw .invalid(
                    "This value must be greater than or equal to \(allowed.lowerBound).",
                    code: "parameter_invalid_integer", param: name)
            }
            guard number <= allowed.upperBound else {
                throw .invalid(
                    "This value must be less than or equal to \(allowed.upperBound) (it currently is '\(number)').",
                    code: "parameter_invalid_integer", param: name)
            }
        case .choice(let values):
            guard values.contains(value) else {
                throw .invalid("Invalid \(name): must be one of \(values.joined(separator: ", "))", param: name)
            }
        }
    }

    private static func checkMetadata(_ metadata: [String: String]) throws(StripeError) {
        guard metadata.count <= metadataLimit else {
            throw .invalid("Metadata can have up to \(metadataLimit) keys.", param: "metadata")
        }
        for (name, value) in metadata {
            guard name.count <= metadataNameLimit, value.count <= metadataValueLimit else {
                throw .invalid("Metadata keys or values are too long.", param: "metadata")
            }
        }
    }
}

extension ProviderCommand {
    /// The parameters that the sandbox has of this request; Stripe has some more, which nobody here sends.
    var parameters: ParameterRules {
        switch self {
        case .createMethod:
            ParameterRules(
                Self.billing.merging([
                    "type": .text, "card[number]": .text, "card[exp_month]": .integer, "card[exp_year]": .integer,
                    "card[cvc]": .text, "card[token]": .text,
                ]) { $1 })
        case .updateMethod:
            ParameterRules(
                Self.billing.merging(["card[exp_month]": .integer, "card[exp_year]": .integer]) { $1 })
        case .attach: ParameterRules(["customer": .text])
        case .detach, .cancel: ParameterRules()
        case .createCustomer: ParameterRules(hasMetadata: true)
        case .createToken:
            ParameterRules([
                "cvc_update[cvc]": .text, "bank_account[account_number]": .text, "bank_account[country]": .text,
                "bank_account[currency]": .text, "bank_account[account_holder_name]": .text,
                "bank_account[account_holder_type]": .choice(["individual", "company"]),
                "bank_account[routing_number]": .text, "pk_token": .text, "pk_token_instrument_name": .text,
                "pk_token_payment_network": .text, "pk_token_transaction_id": .text,
            ])
        case .createIntent:
            ParameterRules(
                [
                    "amount": .integer, "currency": .text, "payment_method": .text, "customer": .text,
                    "payment_method_types[0]": .choice(["card", "paypal"]),
                    "payment_method_data[type]": .choice(["paypal"]),
                    "capture_method": .choice(["automatic", "manual"]), "confirm": .boolean, "off_session": .boolean,
                    "return_url": .text,
                    "payment_method_options[card][cvc_token]": .text,
                ], hasMetadata: true)
        case .confirm:
            ParameterRules([
                "payment_method": .text, "off_session": .boolean, "payment_method_options[card][cvc_token]": .text,
            ])
        case .capture: ParameterRules(["amount_to_capture": .integer])
        case .createRefund: ParameterRules(["payment_intent": .text, "amount": .integer], hasMetadata: true)
        case .createPayout:
            ParameterRules(
                ["amount": .range(1...99_999_999_999), "currency": .text, "destination": .text], hasMetadata: true)
        }
    }

    private static let billing: [String: ParameterRules.Form] = [
        "billing_details[name]": .text, "billing_details[email]": .text, "billing_details[phone]": .text,
        "billing_details[address][line1]": .text, "billing_details[address][line2]": .text,
        "billing_details[address][city]": .text, "billing_details[address][state]": .text,
        "billing_details[address][postal_code]": .text, "billing_details[address][country]": .text,
    ]
}

/// The query parameters of the requests that only read.
enum ProviderQuery {
    private static let page: [String: ParameterRules.Form] = ["limit": .range(1...100), "starting_after": .text]

    /// One object, or a deletion.
    static let object = ParameterRules()
    static let search = ParameterRules(["query": .text])
    static let refunds = ParameterRules(page.merging(["payment_intent": .text]) { $1 })
    static let payouts = ParameterRules(page.merging(["created[gte]": .integer]) { $1 })
}
