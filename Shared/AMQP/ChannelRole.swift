/// The use of a connection: publishing or consuming. Part of the state of its ``Link``, on the link's thread.
protocol ChannelRole: AnyObject, SendableMetatype {
    var purpose: Connector.Purpose { get }
    /// Takes the callers' requests since the last call.
    func takeRequests(now: ContinuousClock.Instant)
    func opened(epoch: UInt64)
    func handle(_ event: ChannelEvent) throws(AMQPError)
    /// Encodes what may be written now, until the buffer is full enough.
    /// - Returns: whether there is more to encode after the buffer is written.
    func write(to connection: BrokerConnection, now: ContinuousClock.Instant) throws(AMQPError) -> Bool
    /// Called after any of the others: passes results to callers, and records metrics.
    func endTurn(now: ContinuousClock.Instant)
    /// When ``expire(now:)`` is due. Must be cheap, because it is read in each turn.
    var nextDeadline: ContinuousClock.Instant? { get }
    func expire(now: ContinuousClock.Instant)
    /// The connection has ended, and its numbers are void.
    func lost(_ error: AMQPError)
    /// Accepts nothing new from here on.
    func beginClosing(_ connection: BrokerConnection?) throws(AMQPError)
    /// Whether no caller waits for anything.
    var isIdle: Bool { get }
    /// The end: fails all callers that still wait.
    func ended()
}
