/// Why the ledger refuses a transfer. Nothing of it is posted then.
enum LedgerError: Error, Equatable {
    /// A debit would take an account below its floor.
    case insufficientFunds
    /// A balance would overflow.
    case overflow
}
