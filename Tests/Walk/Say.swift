import Contracts

/// A line of the walk: who, and what.
func line(_ who: String, _ what: String) -> String { "\(column(who, 10))\(what)" }

/// A line under a step: what it has changed in one place, and what is there since; minor units.
func moneyLine(_ place: Journal.Place, by change: Int, to now: Int, _ currency: String) -> String {
    let moved = (change > 0 ? "+" : "") + Money(amount: change, currency: currency).decimal
    let left = Money(amount: now, currency: currency).decimal
    return line(
        "", "  \(column(place.name, 10)) \(right(moved, 10)) \(currency)   now \(right(left, 10)) \(currency)")
}

func text(_ money: Money) -> String { "\(money.decimal) \(money.currency)" }

/// Whom one can sign in as, and with what.
func accountLines(_ person: Acquaintance) -> String {
    let who = column(person.market, 10) + column(person.role, 10) + person.name
    return "\(who)\n\(line("", "\(person.mobile)  \(person.email)  \(person.password)"))"
}

/// A longer text stays whole.
private func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
