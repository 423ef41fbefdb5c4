import ServiceKit

/// The keys of this service.
enum NotificationsConfiguration {
    static let keys: [AnyConfigurationKey] =
        [
            streams.erased, streamsPerAccount.erased, streamsPerAddress.erased, heartbeatSeconds.erased,
            writeSeconds.erased, keepDays.erased,
            DeliverySeal.key.erased,
            privateWebhooks.erased, noticesPerSecond.erased, MailUnsubscribing.publicURL.erased,
        ] + DeliveryConfiguration.keys + PushConfiguration.keys + CallConfiguration.keys

    static let streams = ConfigurationKey<Int>(
        "streams.limit",
        "Live streams of one process; who asks for one more is told to come again. A fifth is left to people with running "
            + "orders. Below http.connection.limit, so that there is room for other requests.",
        default: 6_250, in: 1...100_000)
    static let streamsPerAccount = ConfigurationKey<Int>(
        "streams.per.account", "Live streams that an account may have in one process; a further one ends the oldest.",
        default: 8, in: 1...100)
    static let streamsPerAddress = ConfigurationKey<Int>(
        "streams.per.address",
        "Live streams that one address (of IPv6 a /64) may have in one process, those of people with running orders apart.",
        default: 350, in: 1...100_000)
    static let heartbeatSeconds = ConfigurationKey<Int>(
        "streams.heartbeat.seconds", "Silence after which a stream is sent a comment.", default: 15, in: 1...60)
    static let writeSeconds = ConfigurationKey<Int>(
        "streams.write.seconds", "How long a reader may leave what it is sent before its connection is ended.",
        default: 20, in: 1...300)
    static let keepDays = ConfigurationKey<Int>(
        "streams.keep.days", "How long the events of a stream can be had again.", default: 7, in: 1...90)

    static let privateWebhooks = ConfigurationKey<Bool>(
        "webhooks.private.allowed",
        "Whether webhooks and push messages to browsers may go to private addresses and by http: for local runs and tests "
            + "alone.", default: false)

    static let noticesPerSecond = ConfigurationKey<Int>(
        "notices.per.second",
        "How many people a second a general notice of admins goes to, of all processes together.", default: 1_000,
        in: 10...50_000)

    static func limits(_ configuration: ServiceConfiguration) throws -> StreamLimits {
        var limits = StreamLimits()
        limits.streams = try configuration[streams]
        limits.streamsPerAccount = try configuration[streamsPerAccount]
        limits.streamsPerAddress = try configuration[streamsPerAddress]
        limits.heartbeat = .seconds(try configuration[heartbeatSeconds])
        limits.write = .seconds(try configuration[writeSeconds])
        return limits
    }
}
