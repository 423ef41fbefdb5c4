public import Messaging

/// Republishes the current promo codes in the order of their ids.
public struct PromoCodesTold: Message {
    public static let name: MessageName = "wallet.promo_codes.told.v1"
    public var range: ToldRange
    /// Each code as it was published last.
    public var promoCodes: [PromoCodeChanged]
    public var aggregate: String { "promo codes \(range.after?.text ?? "")" }

    public init(range: ToldRange, promoCodes: [PromoCodeChanged]) {
        self.range = range
        self.promoCodes = promoCodes
    }
}
