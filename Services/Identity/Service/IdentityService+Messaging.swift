import AMQP
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

extension IdentityService {
    /// What it says goes out through the relay; what it hears comes in through the consumer: answers to its own questions,
    /// and what admins change of the markets.
    static func messaging(
        _ bootstrap: ServiceBootstrap, _ pool: PostgresPool, _ answers: MessageHandlers
    ) throws -> [ServiceComponent] {
        let logger = bootstrap.logger
        var handlers = answers
        LiveMarkets.register(in: &handlers)
        let topology = ServiceTopology(service: name)
        let declared = topology.events(handlers.names)
        let (publisher, publishing) = try bootstrap.publisher(topology: declared)
        let relay = Relay(pool: pool, publisher: publisher, producer: name, logger: logger)
        let consumer = Consumer(
            try bootstrap.broker(purpose: "consumer"), queue: topology.eventsQueue, topology: declared, logger: logger)
        // Of each order its end and its ratings come here, and nobody waits for what follows from them.
        var consuming = ConsumerRunner.Configuration()
        consuming.workers = 1
        consuming.batchWindow = .milliseconds(100)
        let runner = ConsumerRunner(
            queue: topology.eventsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: topology, configuration: consuming, logger: logger)
        return [
            publishing, ServiceComponent("relay", stage: .relay, relay),
            ServiceComponent("consumer", stage: .consumers, runner),
        ]
    }
}
