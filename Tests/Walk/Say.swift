import Contracts

/// A line of the walk: who, and what.
func line(_ who: String, _ what: String) -> String { "\(column(who, 10))\(what)" }

/// A line under a step: what it has changed in one place, and what is there since; minor units.
func moneyLine(_ place: Journal.Place, by change: Int, to now: Int, _ currency: String) -> String {
    let moved = "\(right((change > 0 ? "+" : "") + decimal(change), 10)) \(currency)"
    return line("", "  \(column(place.name, 10)) \(moved)   now \(right(decimal(now), 10)) \(currency)")
}

func text(_ money: Money) -> String { "\(decimal(money.amount)) \(money.currency)" }

/// Minor units as major ones: `-0.50`. Every currency of these markets has hundredths.
private func decimal(_ minor: Int) -> String {
    let size = minor.magnitude
    return "\(minor < 0 ? "-" : "")\(size / 100).\(size % 100 < 10 ? "0" : "")\(size % 100)"
}

/// A longer text stays whole.
private func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
