/// Waits until something has become true: the tests' only way of waiting.
///
/// Asks at once and then after each pause. An error thrown by the condition counts as "not yet". The limit does not
/// interrupt a condition that hangs: give waits inside it deadlines of their own.
/// - Parameters:
///   - limit: how long to keep asking. Generous, for a slow machine: success does not wait for it.
///   - what: what is awaited, as a sentence for the failure.
///   - poll: the pause between two questions.
/// - Throws: ``EventuallyError`` with the last answer; `CancellationError`.
public func eventually(
    within limit: Duration = .seconds(100), _ what: String, poll: Duration = .milliseconds(10),
    _ condition: () async throws -> Bool
) async throws {
    _ = try await eventually(within: limit, what, poll: poll, value: condition) { $0 }
}

/// Waits until a value satisfies a condition, and returns it. A failure tells the last value seen.
///
/// Otherwise the same as ``eventually(within:_:poll:_:)``.
@discardableResult
public func eventually<Value>(
    within limit: Duration = .seconds(100), _ what: String, poll: Duration = .milliseconds(10),
    value: () async throws -> Value, satisfies: (Value) throws -> Bool
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        let last: String
        do {
            let current = try await value()
            if try satisfies(current) { return current }
            last = "the last value was \(current)"
        } catch let error as CancellationError {
            throw error
        } catch {
            last = "the last error was \(error)"
        }
        guard ContinuousClock.now < deadline else { throw EventuallyError(what: what, limit: limit, last: last) }
        try await Task.sleep(for: poll)
    }
}

/// Something awaited did not happen in time.
public struct EventuallyError: Error, CustomStringConvertible {
    /// What was awaited.
    public let what: String
    /// For how long.
    public let limit: Duration
    /// The last value or error seen.
    public let last: String

    public var description: String { "not within \(limit): \(what); \(last)" }
}
