import SeraiJSON

/// The charges that the payment provider has and a wallet that was set back does not know: docs/operations.md, "Go back to a
/// moment", step 10, as an operator does it in the dashboard.
struct ProviderList: Sendable {
    let ground: ChaosGround

    /// The kind of each charge, by the charge's id: `payment`, `topUp`, `refund`, …
    typealias Charges = [String: String]

    /// All charges. With the wallet standing still the provider knows of no other, for each is stored before it is asked for.
    func charges() async throws -> Charges {
        let rows = try await ground.sql("SELECT id, purpose FROM wallet.charges").split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let columns = row.split(separator: "|")
                return (String(columns[0]), String(columns[1]))
            })
    }

    /// Cancels what is held and gives back what was taken.
    /// - Returns: how many there were of each kind: `payment cancelled`, `payment refunded`, …
    func settle(_ strays: Charges) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for (charge, purpose) in strays.sorted(by: { $0.key < $1.key }) {
            let act = purpose == "refund" ? "made" : try await settle(charge)
            counts["\(purpose) \(act)", default: 0] += 1
        }
        return counts
    }

    private func settle(_ charge: String) async throws -> String {
        let query = "query=metadata%5B%27charge%27%5D%3A%27\(charge)%27"
        let answer = try JSONValue(parsing: try await ask("GET", "payment_intents/search?\(query)"))
        guard case .array(let intents)? = answer["data"], let intent = intents.first,
            case .string(let id)? = intent["id"],
            case .string(let status)? = intent["status"]
        else { return "never asked for" }
        switch status {
        case "succeeded":
            _ = try await ground.sandbox("POST", "refunds", .object(["paymentIntent": .string(id)]))
            return "refunded"
        case "canceled": return "cancelled before"
        default:
            _ = try await ask("POST", "payment_intents/\(id)/cancel")
            return "cancelled"
        }
    }

    private func ask(_ method: String, _ path: String) async throws -> [UInt8] {
        try await LoopbackHTTP.send(
            method, port: ground.plan.ports.sandbox, path: "/v1/\(path)",
            headers: [
                "Authorization": "Bearer sk_test_\(ground.plan.secrets.sandboxKey)", "Stripe-Version": "2024-06-20",
            ], body: method == "POST" ? [] : nil)
    }
}
