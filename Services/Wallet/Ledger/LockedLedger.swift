import Contracts
import Foundation
import Messaging
import Postgres

/// The part of the ledger whose rows this transaction has locked, as a book that decides.
///
/// Lock order: holds by id; accounts of people, orders and the like by number; then accounts without an owner, which
/// are contended and therefore locked for the shortest time; last a free chain.
struct LockedLedger {
    var book: LedgerBook
    private var numbers: [AccountReference: Int]
    /// The balances before this set.
    private let before: [AccountReference: Int]
    private let chain: LockedChain
    private let asked: [Asked]

    /// A command with its digest and transfer id, computed before anything is locked.
    private struct Asked {
        let command: LedgerCommand
        let digest: [UInt8]?
        let transfer: UUID
    }

    // MARK: Reading

    static func lock(
        for transfers: [Transfer], _ commands: [LedgerCommand], in transaction: PostgresTransaction
    ) async throws -> LockedLedger {
        let holds = try await lockHolds(commands, in: transaction)
        let originals = try await findOriginals(commands, in: transaction)
        var references = Set<AccountReference>(minimumCapacity: 2 * (transfers.count + commands.count))
        for transfer in transfers {
            for move in transfer.moves { references.formUnion([move.from, move.to]) }
        }
        name(by: commands, holds, &references)
        for hold in holds { references.formUnion([hold.wallet, hold.account]) }
        for original in originals.values {
            references.formUnion(original.legs.flatMap { [$0.from, $0.to] })
        }
        // Ending a hold needs to know whether its placing was refused.
        let placings = commands.compactMap(\.hold).map { LedgerCommand.placeKey(of: $0) }
        let keys = transfers.map(\.key) + commands.map(\.key) + placings

        let asked = commands.map { Asked(command: $0, digest: $0.digest, transfer: .timeOrdered()) }

        let found = try await read(references, keys, in: transaction)
        return LockedLedger(
            book: LedgerBook(
                balances: found.balances,
                posted: Dictionary(found.posted.map { ($0.key, $0.posted) }) { first, _ in first },
                refused: Dictionary(found.refused.map { ($0.key, $0.refused) }) { first, _ in first },
                holds: Dictionary(holds.map { ($0.id, $0) }) { first, _ in first }, originals: originals),
            numbers: found.numbers, before: found.balances, chain: found.chain, asked: asked)
    }

    /// Locks accounts for transfers that are decided from data read under these locks, and whose keys are new.
    static func lock(
        _ references: Set<AccountReference>, in transaction: PostgresTransaction
    ) async throws -> LockedLedger {
        let found = try await read(references, [], in: transaction)
        return LockedLedger(
            book: LedgerBook(balances: found.balances), numbers: found.numbers, before: found.balances,
            chain: found.chain, asked: [])
    }

    private typealias Locked = (
        accounts: [LockedAccount], posted: [FindPosted.Row], refused: [FindRefused.Row], chains: [LockedChain]
    )

    private struct Found {
        let balances: [AccountReference: Int]
        let numbers: [AccountReference: Int]
        let posted: [FindPosted.Row]
        let refused: [FindRefused.Row]
        let chain: LockedChain
    }

    /// Collects the accounts that commands name. Invalid commands open no accounts: their currency may be nonsense. A
    /// capture opens no accounts in another currency than its hold's, or for an unknown hold.
    private static func name(
        by commands: [LedgerCommand], _ holds: [Hold], _ named: inout Set<AccountReference>
    ) {
        var currencies = Dictionary(holds.map { ($0.id, $0.currency) }) { first, _ in first }
        for command in commands where command.isValid {
            if case .place(let hold) = command { currencies[hold.id] = currencies[hold.id] ?? hold.currency }
        }
        for command in commands where command.isValid {
            if let hold = command.hold, !command.accounts.allSatisfy({ $0.currency == currencies[hold] }) { continue }
            named.formUnion(command.accounts)
        }
    }

    /// Looks up keys only after the accounts are locked: a concurrent posting of the same key locks the same accounts.
    private static func read(
        _ references: Set<AccountReference>, _ keys: [String], in transaction: PostgresTransaction
    ) async throws -> Found {
        let known = transaction.hints(KnownAccounts.self) { KnownAccounts() }
        let ways = known.ways(to: references)
        var found: Locked
        if ways.unknown.isEmpty {
            found = try await transaction.queryAll(
                LockKnownAccounts(numbers: ways.numbers), FindPosted(keys: keys), FindRefused(keys: keys),
                LockFreeChain())
        } else {
            let unknown = PostingAccounts(ways.unknown)
            // Opens accounts before locking any: a transaction that waits for another's new account then holds no
            // account that the other may need.
            transaction.send(OpenAccounts(accounts: unknown))
            found = try await transaction.queryAll(
                LockAccounts(numbers: ways.numbers, others: unknown), FindPosted(keys: keys),
                FindRefused(keys: keys), LockFreeChain())
        }
        var locked = LockedAccounts(found.accounts, of: references)
        var unfamiliar = Set(ways.unknown)
        if locked.numbers.count < references.count {
            // Cached numbers are from before this database was restored to an earlier state. A deadlock here ends with
            // one transaction rolled back.
            unfamiliar.formUnion(references.filter { locked.numbers[$0] == nil })
            let missing = PostingAccounts(unfamiliar.filter { locked.numbers[$0] == nil })
            transaction.send(OpenAccounts(accounts: missing))
            let (others, posted, refused) = try await transaction.queryAll(
                LockAccounts(numbers: [], others: missing), FindPosted(keys: keys), FindRefused(keys: keys))
            locked.add(others, of: references)
            (found.posted, found.refused) = (posted, refused)
        }
        guard locked.numbers.count == references.count else { throw LedgerDamaged() }
        if !unfamiliar.isEmpty {
            known.learn(locked.numbers.filter { unfamiliar.contains($0.key) }, in: transaction)
        }
        var chain = found.chains.first
        if chain == nil { chain = try await transaction.first(LockChain()) }
        guard let chain else { throw LedgerDamaged() }
        return Found(
            balances: locked.balances, numbers: locked.numbers, posted: found.posted, refused: found.refused,
            chain: chain)
    }

    private static func lockHolds(
        _ commands: [LedgerCommand], in transaction: PostgresTransaction
    ) async throws -> [Hold] {
        let ids = Set(commands.compactMap(\.hold))
        return ids.isEmpty ? [] : try await transaction.query(LockHolds(holds: Array(ids)))
    }

    /// Posted entries never change, so no lock is needed.
    private static func findOriginals(
        _ commands: [LedgerCommand], in transaction: PostgresTransaction
    ) async throws -> [String: LedgerCommand.Original] {
        let keys = Set(commands.compactMap(\.originalKey))
        guard !keys.isEmpty else { return [:] }
        let entries = try await transaction.query(FindOriginalEntries(keys: Array(keys)))
        return Dictionary(grouping: entries, by: \.key).compactMapValues { entries in
            guard let first = entries.first else { return nil }
            // The entry of a move's debit comes directly before that of its credit.
            let legs = stride(from: 0, to: entries.count - 1, by: 2).map { index in
                LedgerCommand.Leg(
                    from: entries[index].account, to: entries[index + 1].account, amount: entries[index + 1].amount)
            }
            return LedgerCommand.Original(subject: first.subject, currency: first.currency, legs: legs)
        }
    }

    // MARK: Writing

    /// Performs the commands in their order.
    /// - Returns: the outcome of each command.
    mutating func perform() -> [LedgerOutcome] {
        asked.map { book.perform($0.command, asked: $0.digest, id: $0.transfer) }
    }

    /// Queues the statements that write the book's decisions; they are sent with the commit.
    ///
    /// - Throws: ``LedgerDamaged`` before anything is posted, when a transfer names an account that is not locked.
    mutating func write(in transaction: PostgresTransaction) async throws {
        if !book.newDebts.isEmpty { try await openDebts(in: transaction) }
        if !book.postings.isEmpty {
            var (head, hashes, entries) = (chain.head, [[UInt8]](), [NumberedEntry]())
            let first = head.place
            hashes.reserveCapacity(book.postings.count)
            entries.reserveCapacity(2 * book.postings.count)
            for posting in book.postings {
                let accounts = posting.entries.compactMap { numbers[$0.account] }
                guard accounts.count == posting.entries.count else { throw LedgerDamaged() }
                head.append(posting, accounts: accounts, at: chain.at)
                hashes.append(head.hash)
                for (entry, account) in zip(posting.entries, accounts) {
                    entries.append(NumberedEntry(entry: entry, account: account, transfer: posting.transfer.id))
                }
            }
            transaction.send(
                InsertTransfers(
                    transfers: book.postings.map(\.transfer), chain: head.id, after: first, hashes: hashes))
            transaction.send(InsertEntries(entries: entries))
            let changed = book.changedAccounts.compactMap { account in
                numbers[account].map { (number: $0, balance: book.balances[account] ?? 0) }
            }
            transaction.send(SetBalances(accounts: changed.map(\.number), balances: changed.map(\.balance)))
            transaction.send(MoveChain(chain: head))
        }
        try writeDebts(in: transaction)
        if !book.newRefusals.isEmpty {
            transaction.send(InsertRefusals(refusals: book.newRefusals))
        }
        writeHolds(in: transaction)
    }

    /// Opens accounts for new debts. No other transaction can know them yet, so this never waits, although other
    /// accounts are already locked.
    private mutating func openDebts(in transaction: PostgresTransaction) async throws {
        let accounts = PostingAccounts(book.newDebts.map(\.account))
        transaction.send(OpenAccounts(accounts: accounts))
        for row in try await transaction.query(LockAccounts(numbers: [], others: accounts)) {
            numbers[row.account] = row.number
        }
    }

    private func writeDebts(in transaction: PostgresTransaction) throws {
        let debts = book.newDebts
        if !debts.isEmpty {
            let accounts = debts.compactMap { numbers[$0.account] }
            guard accounts.count == debts.count else { throw LedgerDamaged() }
            transaction.send(InsertDebts(debts: debts, numbers: accounts))
            transaction.send(InsertDebtors(debtors: debts.map(\.debtor)))
            let lines = debts.compactMap { debt in
                debt.owed.map { (account: debt.receiver.owner, line: $0.line, amount: debt.amount) }
            }
            if !lines.isEmpty { transaction.send(ChangeWaitingLines(changes: lines)) }
            for debt in debts {
                guard let owed = debt.owed else { continue }
                try transaction.publish(
                    MoneyWaiting(
                        account: debt.receiver.owner, market: owed.market, order: owed.order,
                        amount: Money(amount: debt.amount, currency: debt.account.currency), isOfFine: owed.isOfFine,
                        at: Date(timeIntervalSince1970: Double(chain.at) / 1_000_000)))
            }
        }
        let unseen = book.raisedDebtors.filter { wallet in
            let (old, new) = (before[wallet] ?? 0, book.balances[wallet] ?? 0)
            return old >= 0 || new <= old
        }
        if !unseen.isEmpty { transaction.send(ScheduleDebtSettlement(debtors: Array(unseen))) }
    }

    private func writeHolds(in transaction: PostgresTransaction) {
        let new = book.newHolds.compactMap { book.holds[$0] }
        if !new.isEmpty { transaction.send(InsertHolds(holds: new)) }
        for hold in new where hold.state == .open {
            guard let end = hold.expiresAt else { continue }
            transaction.set(HoldExpiry.deadline(of: hold.id, at: end))
        }
        if !book.endedEarly.isEmpty { transaction.send(ReserveEndedHolds(holds: book.endedEarly)) }
        let ended = book.endedHolds.compactMap { book.holds[$0] }
        guard !ended.isEmpty else { return }
        transaction.send(EndHolds(holds: ended))
        for hold in ended where hold.expiresAt != nil && hold.state != .expired {
            HoldExpiry.clear(hold.id, in: transaction)
        }
    }
}

/// Locked balances and numbers by account.
private struct LockedAccounts {
    private(set) var balances: [AccountReference: Int]
    private(set) var numbers: [AccountReference: Int]

    init(_ rows: [LockedAccount], of references: Set<AccountReference>) {
        balances = Dictionary(minimumCapacity: references.count)
        numbers = Dictionary(minimumCapacity: references.count)
        add(rows, of: references)
    }

    mutating func add(_ rows: [LockedAccount], of references: Set<AccountReference>) {
        for row in rows where references.contains(row.account) {
            balances[row.account] = row.balance
            numbers[row.account] = row.number
        }
    }
}

/// The ledger lacks rows that a migration inserts, or a transfer names an account that is not locked.
struct LedgerDamaged: Error {}
