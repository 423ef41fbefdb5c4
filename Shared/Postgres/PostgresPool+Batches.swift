extension PostgresPool {
    /// Executes a statement with a limit of rows again and again until it affects fewer, each time in a transaction of
    /// its own: for large numbers of rows whose locks must not be held together.
    ///
    /// - Parameter batch: the statement's limit of rows.
    /// - Returns: the number of rows in all.
    @discardableResult
    public func executeInBatches(
        of batch: Int, _ statement: some Statement
    ) async throws(PostgresError) -> Int {
        var total = 0
        while true {
            let count = try await executePlannedAnew(statement)
            total += count
            if count < batch { return total }
        }
    }

    private func executePlannedAnew(_ statement: some Statement) async throws(PostgresError) -> Int {
        do {
            return try await withTransaction { transaction in
                transaction.planAnew()
                return try await transaction.execute(statement)
            }
        } catch let error as PostgresError {
            throw error
        } catch {
            throw PostgresError(.cancelled, "cancelled between two attempts")
        }
    }
}
