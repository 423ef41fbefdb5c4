/// What a connection is used for: publishing or consuming. It lives in the state of its ``Link``, on the link's thread.
protocol ChannelRole: AnyObject, SendableMetatype {
    var purpose: Connector.Purpose { get }
    /// Takes over what callers have asked for since the last time.
    func takeRequests(now: ContinuousClock.Instant)
    func opened(epoch: UInt64)
    func handle(_ event: ChannelEvent) throws(AMQPError)
    /// Encodes what may be written now, until the buffer holds enough.
    /// - Returns: whether there is more to encode once the buffer is written.
    func write(to connection: BrokerConnection, now: ContinuousClock.Instant) throws(AMQPError) -> Bool
    /// After any of the above: tells callers what came, and counts.
    func endTurn(now: ContinuousClock.Instant)
    /// When ``expire(now:)`` is due. Cheap: asked in each turn.
    var nextDeadline: ContinuousClock.Instant? { get }
    func expire(now: ContinuousClock.Instant)
    /// The connection is gone and its numbers with it.
    func lost(_ error: AMQPError)
    /// Takes nothing new from here on.
    func beginClosing(_ connection: BrokerConnection?) throws(AMQPError)
    /// Whether nobody waits for anything any more.
    var isIdle: Bool { get }
    /// The end: tells everybody who still waits.
    func ended()
}
