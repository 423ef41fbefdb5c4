import Foundation
import Postgres

extension BankAccount {
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), account: try row.next(),
            destination: PayoutDestination(
                kind: .bankAccount, reference: try row.next(), holder: try row.next(), bankName: try row.next(),
                country: try row.next(), lastFour: try row.next()))
    }

    fileprivate func bind(_ bindings: inout Bindings) {
        bindings.append(
            id, account, destination.reference, destination.holder, destination.bankName ?? "",
            destination.country ?? "", destination.lastFour, destination.fingerprint)
    }
}

/// Serializes additions to an account's bank accounts until the transaction ends, since they are counted first.
struct LockBankAccounts: Statement {
    static let sql: SQL =
        "SELECT pg_advisory_xact_lock(hashtextextended('wallet.bank-accounts:' || $1::text, 0))"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Inserts a bank account. Affects no row when the account already has the maximum number.
struct InsertBankAccount: Statement {
    static let sql: SQL = """
        INSERT INTO bank_accounts (id, account, reference, holder, bank_name, country, last_four, fingerprint)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE (SELECT count(*) FROM bank_accounts WHERE account = $2) < $9
        """
    let bankAccount: BankAccount
    func bind(_ bindings: inout Bindings) {
        bankAccount.bind(&bindings)
        bindings.append(BankAccount.limit)
    }
}

/// Updates holder and bank name of the account's bank account with the same number. Requires ``LockBankAccounts``.
struct RenameSameBankAccount: Statement {
    static let sql: SQL = """
        UPDATE bank_accounts SET holder = $3, bank_name = $4
        WHERE id = (SELECT id FROM bank_accounts WHERE account = $1 AND fingerprint = $2 ORDER BY id LIMIT 1)
        RETURNING id, account, reference, holder, bank_name, country, last_four
        """
    let account: UUID
    let fingerprint: String
    let holder: String
    let bankName: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, fingerprint, holder, bankName) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> BankAccount { try BankAccount(row: &row) }
}

/// Updates holder and bank name, and the number if one is given. Otherwise the number stays as it is in the row, not as
/// the caller read it.
struct UpdateBankAccount: Statement {
    static let sql: SQL = """
        UPDATE bank_accounts SET holder = $3, bank_name = $4, reference = coalesce($5, reference),
            country = coalesce($6, country), last_four = coalesce($7, last_four),
            fingerprint = CASE WHEN $5 IS NULL THEN fingerprint ELSE $8 END
        WHERE id = $1 AND account = $2
        RETURNING id, account, reference, holder, bank_name, country, last_four
        """
    let bankAccount: UUID
    let account: UUID
    let holder: String
    let bankName: String
    let number: PayoutDestination?
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            bankAccount, account, holder, bankName, number?.reference, number?.country, number?.lastFour,
            number?.fingerprint)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> BankAccount { try BankAccount(row: &row) }
}

/// Checks that a saved bank account still has the reference that was read, and locks it until the transaction ends.
struct ShareLockBankAccount: Statement {
    static let sql: SQL =
        "SELECT true FROM bank_accounts WHERE id = $1 AND account = $2 AND reference = $3 FOR SHARE"
    let bankAccount: UUID
    let account: UUID
    let reference: String
    func bind(_ bindings: inout Bindings) { bindings.append(bankAccount, account, reference) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct ListBankAccounts: Statement {
    static let sql: SQL = """
        SELECT id, account, reference, holder, bank_name, country, last_four FROM bank_accounts WHERE account = $1 ORDER BY id LIMIT 100
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> BankAccount { try BankAccount(row: &row) }
}

struct FindBankAccount: Statement {
    static let sql: SQL = """
        SELECT id, account, reference, holder, bank_name, country, last_four FROM bank_accounts WHERE id = $1 AND account = $2
        """
    let bankAccount: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(bankAccount, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> BankAccount { try BankAccount(row: &row) }
}

struct DeleteBankAccount: Statement {
    static let sql: SQL = "DELETE FROM bank_accounts WHERE id = $1 AND account = $2"
    let bankAccount: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(bankAccount, account) }
}

struct DeleteBankAccounts: Statement {
    static let sql: SQL = "DELETE FROM bank_accounts WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Removes the holder, the bank and the number's last digits from the cash-outs of a deleted account, the payment
/// provider's name of the destination, and the admins' words; state and amount stay. All of them are over.
struct ForgetInCashOuts: Statement {
    static let sql: SQL = """
        UPDATE cash_outs SET holder = $2, bank_name = NULL, country = NULL, last_four = '', destination = '',
            reason = CASE WHEN state = 'rejected' THEN '' ELSE reason END
        WHERE account = $1
        """
    let account: UUID
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}
