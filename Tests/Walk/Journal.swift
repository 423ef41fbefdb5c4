import Contracts
import Phones
import Synchronization

struct NotAsItMustBe: Error, CustomStringConvertible { let description: String }

/// Tells an order step by step: who did what, and what money that moved, as the wallet says over HTTP.
///
/// It is checked too: the walk ends early where money is not where the step must have put it, or where the ledger does
/// not sum up to zero.
final class Journal: Sendable {
    /// Where money can be.
    enum Place: Hashable {
        /// The wallet of somebody whom the journal has met, by what he or she is called.
        case wallet(String)
        /// In escrow, for the order.
        case held
        /// What the provider has left for the order.
        case deposit
        case platform
        /// The world outside: below zero by what has come in from it.
        case outside

        var name: String {
            switch self {
            case .wallet(let name): name
            case .held: "held"
            case .deposit: "deposit"
            case .platform: "platform"
            case .outside: "outside"
            }
        }

        /// Of the accounts in the trial balance; nil for a person's.
        var kind: String? {
            switch self {
            case .wallet: nil
            case .held: "escrow"
            case .deposit: "deposit"
            case .platform: "platform"
            case .outside: "external"
            }
        }
    }

    private struct State {
        var phones: [String: Phone] = [:]
        var places: [Place] = [.outside, .held, .deposit, .platform]
        /// Minor units since the first step, after the last one.
        var amounts: [Place: Int] = [:]
    }

    private let desk: AdminDesk
    private let market: Market
    private let people: Acquaintances
    private let currency: String
    private let tell: @Sendable (String) -> Void
    /// The ledger before the first step.
    private let before: TrialBalance.Currency?
    private let state = Mutex(State())

    init(
        of market: Market, desk: AdminDesk, people: Acquaintances, tell: @escaping @Sendable (String) -> Void
    ) async throws {
        self.desk = desk
        self.market = market
        self.people = people
        currency = market.defaults.currency
        self.tell = tell
        before = try await desk.ledger(of: market.defaults.currency)
    }

    /// From now on this person's wallet is looked at. It was empty before.
    func meet(_ name: String, _ phone: Phone, _ person: Person) {
        people.add(
            Acquaintance(
                market: market.id, role: name, name: person.name, mobile: person.mobile, email: person.email,
                password: person.password))
        state.withLock { state in
            state.phones[name] = phone
            state.places.insert(.wallet(name), at: state.places.count - 1)
        }
    }

    /// Tells a step once the wallet says that just this money has moved. One at a time.
    /// - Parameter moves: minor units by which each place has more; together they are zero.
    func step(_ who: String, _ what: String, moving moves: [Place: Int] = [:]) async throws {
        tell(line(who, what))
        let known = state.withLock { $0 }
        let expected = known.amounts.merging(moves) { $0 + $1 }.filter { $0.value != 0 }
        var last: [Place: Int] = [:]
        do {
            try await desk.phone.until("the money is where it must be") {
                last = try await read(known)
                return last == expected
            }
        } catch is Phone.Impatience {
            throw NotAsItMustBe(
                description: "the money must be \(named(expected, known)) and is \(named(last, known))")
        }
        guard last.values.reduce(0, +) == 0 else {
            throw NotAsItMustBe(description: "money has come or gone: \(named(last, known))")
        }
        for place in known.places where last[place] != known.amounts[place] {
            let (now, earlier) = (last[place] ?? 0, known.amounts[place] ?? 0)
            tell(moneyLine(place, by: now - earlier, to: now, currency))
        }
        if last == known.amounts { tell(line("", "  no money moves")) }
        let amounts = last
        state.withLock { $0.amounts = amounts }
    }

    /// What is there now and was not before the first step; without those that have the same as then.
    private func read(_ known: State) async throws -> [Place: Int] {
        let ledger = try await desk.ledger(of: currency)
        let sum = ledger?.sum ?? 0
        guard sum == 0 else { throw NotAsItMustBe(description: "the ledger's sum is \(sum) and not zero") }
        var found: [Place: Int] = [:]
        for place in known.places {
            if case .wallet(let name) = place {
                found[place] = try await known.phones[name]?.balance(in: currency) ?? 0
            } else if let kind = place.kind {
                found[place] = (ledger?.balance(of: kind) ?? 0) - (before?.balance(of: kind) ?? 0)
            }
        }
        return found.filter { $0.value != 0 }
    }

    private func named(_ amounts: [Place: Int], _ known: State) -> String {
        let texts = known.places.compactMap { place in amounts[place].map { "\(place.name) \($0)" } }
        return texts.isEmpty ? "nowhere" : texts.joined(separator: ", ")
    }
}
