import Contracts
import Foundation

extension WalletParts {
    /// A market's amount in a currency, which may be a former one of the market: the own amount in the market's
    /// currency; otherwise the smallest amount of the markets that have the currency now, so that naming another market
    /// raises no limit; otherwise the same number of units.
    ///
    /// - Parameter key: for example `dailyTopUpLimit`.
    func amount(_ key: KeyPath<MarketSettings, Int>, in currency: String, of market: Market) -> Int {
        let own = settings(of: market)
        if own.currency == currency { return own[keyPath: key] }
        let others = Market.all.map { settings(of: $0) }.filter { $0.currency == currency }
        if let smallest = others.map({ $0[keyPath: key] }).min() { return smallest }
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
