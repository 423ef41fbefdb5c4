import Contracts
import ServiceKit

/// The total that a customer was shown, with which an order binds the platform: a higher price, or one in another
/// currency, is not taken. A lower one is.
///
/// People who order a visit by hand have to name it. The desk, a series and an API key need not: the caller hears the
/// price, the series has its own agreement, and a program has seen none. Rides, meals and bikes that are brought are bound
/// by their quote, and meals by the price of each dish, too.
struct ShownPrice: Hashable, Sendable {
    let total: Money

    /// The price has risen, or has another currency, since the customer saw it.
    struct Risen: Error, Equatable {
        let price: Money
    }

    /// - Throws: ``Risen``
    func check(_ price: Money) throws(Risen) {
        guard price.currency == total.currency, price.amount <= total.amount else { throw Risen(price: price) }
    }
}

extension ShownPrice.Risen: ProblemConvertible {
    var problem: Problem { SeriesRefusal.priceChanged(total: price.amount, currency: price.currency).problem }
}

extension Form {
    /// Reads the `total` of an order: what the customer was shown.
    func shownPrice(required: Bool) -> ShownPrice? {
        guard let total = object("total", required: required) else { return nil }
        let amount = total.integer("amount", in: 0...1_000_000_000_000)
        let currency = total.string("currency", length: 3...3)
        guard let amount, let currency else { return nil }
        return ShownPrice(total: Money(amount: amount, currency: currency))
    }
}
