/// Why the ledger refuses.
enum LedgerError: Error, Equatable {
    /// A debit would take an account below its floor. Nothing was posted.
    case insufficientFunds
    /// A balance would be more than the ledger can write. Nothing was posted.
    case overflow
}
