/// An amount in minor units (halalas, cents) of one currency.
public struct Money: Codable, Hashable, Sendable {
    /// Minor units; negative where money is owed.
    public var amount: Int
    /// ISO 4217, three capital letters.
    public var currency: String

    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}
