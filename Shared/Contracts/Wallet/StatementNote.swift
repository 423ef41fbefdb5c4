/// The statement line for the wallets that a command changes. Senders that move people's money must send one; without
/// it the statements have no line for the move.
public struct StatementNote: Codable, Hashable, Sendable {
    public var market: String
    /// The purpose, by language.
    public var title: [String: String]
    /// Names of payer and receiver. A person's name is allowed only when the command's subject is an order: by the
    /// order the name is forgotten with its account.
    public var payer: String
    public var beneficiary: String

    public init(market: String, title: [String: String], payer: String, beneficiary: String) {
        self.market = market
        self.title = title
        self.payer = payer
        self.beneficiary = beneficiary
    }
}
