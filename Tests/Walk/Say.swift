import Contracts
import Foundation

func say(_ who: String, _ what: String) {
    print("\(who.padding(toLength: 10, withPad: " ", startingAt: 0))\(what)")
}

func text(_ money: Money) -> String {
    "\(money.amount / 100).\(String(format: "%02d", abs(money.amount % 100))) \(money.currency)"
}
