import Contracts
import Foundation

extension Market {
    /// Where something is paid. The settings of the other markets say nothing of money.
    static var paying: [Market] { all.filter { !$0.kinds.isEmpty } }
}

extension WalletParts {
    /// An amount of a market in a currency, which may be a former one of the market: the smallest amount of the markets
    /// where something is paid in the currency now, since they share a wallet and the request names the market; otherwise
    /// the market's own amount with the same number of units.
    ///
    /// - Parameter key: for example `dailyTopUpLimit`.
    func amount(_ key: KeyPath<MarketSettings, Int>, in currency: String, of market: Market) -> Int {
        let all = Market.paying.map { settings(of: $0) }.filter { $0.currency == currency }
        if let smallest = all.map({ $0[keyPath: key] }).min() { return smallest }
        let own = settings(of: market)
        return Self.convert(own[keyPath: key], from: own.currency, to: currency)
    }

    /// The same number of units in minor units of another currency.
    private static func convert(_ amount: Int, from old: String, to new: String) -> Int {
        func power(_ digits: Int) -> Int { (0..<max(digits, 0)).reduce(1) { power, _ in power * 10 } }
        let digits = (Currency.named(new)?.minorDigits ?? 2) - (Currency.named(old)?.minorDigits ?? 2)
        let (product, overflow) = (amount / power(-digits)).multipliedReportingOverflow(by: power(digits))
        return overflow ? .max : product
    }
}
