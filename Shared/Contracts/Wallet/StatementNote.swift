/// What the statements of those whose wallets a command touches say of it. Whoever moves people's money sends one; without
/// it their statements have no line of the move.
public struct StatementNote: Codable, Hashable, Sendable {
    public var market: String
    /// What it is for, by language.
    public var title: [String: String]
    /// Who pays, and who gets it, by name. A person's only where the command's subject is an order: by it the name is
    /// forgotten with its owner.
    public var payer: String
    public var beneficiary: String

    public init(market: String, title: [String: String], payer: String, beneficiary: String) {
        self.market = market
        self.title = title
        self.payer = payer
        self.beneficiary = beneficiary
    }
}
