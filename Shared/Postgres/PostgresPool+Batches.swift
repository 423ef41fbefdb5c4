extension PostgresPool {
    /// Executes a statement that touches some rows at most, again and again until it touches fewer, each time in a
    /// transaction of its own: for what may be many rows and must not hold all of their locks at once.
    ///
    /// - Parameter batch: how many rows the statement touches at most.
    /// - Returns: how many there were in all.
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
