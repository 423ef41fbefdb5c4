import Postgres

/// Collects the ratings of a batch of messages. Their sums are written right before the commit, by one statement with
/// rows in one order. Two batches may wait for each other there, but cannot deadlock.
final class RatingSums: CommitParticipant {
    private var given: [GivenStars] = []

    /// The collector of the transaction.
    static func of(_ transaction: PostgresTransaction) -> RatingSums {
        transaction.participant(RatingSums.self) { RatingSums() }
    }

    func add(_ rating: GivenStars) { given.append(rating) }

    func willCommit(_ transaction: PostgresTransaction) { transaction.send(AddRatings(given: given)) }
}
