import Foundation
import Matching
import Postgres
import ServiceLifecycle
import Synchronization
import Testing
import TestKit

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("Positions while things go wrong", .timeLimit(.minutes(15)))
struct PositionFaultTests {
    @Test("positions that come while the database is away are taken, and the newest of each is written when it is back")
    func databaseAway() async throws {
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase(DispatchService.migrations) { database in
                try await FaultProxy.withFaultProxy(to: database.dsn) { proxy in
                    let behind = TestDatabase(dsn: proxy.url(rewriting: database.dsn), name: database.name)
                    try await behind.withPool { pool in
                        try await PositionTests.process(pool, host.url) { ground in
                            let nurse = try await ground.free(age: 200)
                            await proxy.dropNewConnections()
                            await proxy.cutAll()
                            let start = Date() - 100
                            for second in 1...50 {
                                try await PositionTests.report(
                                    nurse, ProvidersGround.north(Double(second)), at: start + Double(second), ground)
                                try await Task.sleep(for: .milliseconds(5))
                            }
                            await proxy.dropNewConnections(false)
                            try await eventually("the newest is written") {
                                try await PositionTests.stored(nurse, ground)?.place == ProvidersGround.north(50)
                            }
                            try await eventually("and the index has it") {
                                ground.parts.index.fix(of: nurse)?.place == ProvidersGround.north(50).coarse
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("P6: what is told while the teller or the reader has no broker for a moment is known without a newer place")
    func shortGap() async throws {
        try await TestBroker.withVirtualHost { host in
            try await FaultProxy.withFaultProxy(to: host.url) { proxy in
                try await TestDatabase.withDatabase(DispatchService.migrations) { database in
                    try await database.withPool { pool in
                        for isTellerCut in [true, false] {
                            let behind = proxy.url(rewriting: host.url)
                            try await PositionTests.process(pool, isTellerCut ? behind : host.url) { one in
                                try await PositionTests.process(pool, isTellerCut ? host.url : behind) { other in
                                    let (here, there) = (ProvidersGround.north(400), ProvidersGround.north(470))
                                    let nurse = try await one.free(metresNorth: 400)
                                    try await eventually("heard") {
                                        try await PositionTests.report(nurse, here, one)
                                        return other.parts.index.fix(of: nurse)?.place == here.coarse
                                    }
                                    await proxy.dropNewConnections()
                                    await proxy.cutAll()
                                    try await Task.sleep(for: .milliseconds(100))
                                    try await PositionTests.report(nurse, there, one)
                                    try await eventually("written") {
                                        one.parts.index.fix(of: nurse)?.place == there.coarse
                                    }
                                    await proxy.dropNewConnections(false)
                                    try await eventually("the other one knows, teller cut: \(isTellerCut)") {
                                        other.parts.index.fix(of: nurse)?.place == there.coarse
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("a process that is shut down writes what it was told before")
    func shutdown() async throws {
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase(DispatchService.migrations) { database in
                try await database.withPool { pool in
                    var settings = ProviderParts.Settings()
                    settings.flushInterval = .seconds(3_600)
                    try await ProvidersGround.serve(pool, settings: settings, broker: host.url) { ground in
                        let group = ServiceGroup(
                            services: (ground.parts.components + ground.parts.answering).map(\.service),
                            logger: TestThreads.logger)
                        let running = Task { try await group.run() }
                        let nurse = try await ground.free()
                        // Until the flusher has looked once, a report might be written by that first look.
                        try await eventually("the broker is connected") { try await host.connections().count >= 2 }
                        try await PositionTests.report(nurse, ProvidersGround.riyadh, ground)
                        await group.triggerGracefulShutdown()
                        try await running.value
                        #expect(try await PositionTests.stored(nurse, ground)?.place == ProvidersGround.riyadh)
                    }
                }
            }
        }
    }

    @Test("O6: a phone on the way that reports a place near by makes the announcement, once")
    func announced() async throws {
        let announced = Mutex<[UUID]>([])
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase(DispatchService.migrations) { database in
                try await database.withPool { pool in
                    try await PositionTests.process(
                        pool, host.url, announce: { order, _, _, _ in announced.withLock { $0.append(order) } }
                    ) { ground in
                        let nurse = try await ground.free(metresNorth: 3_000)
                        let order = try await ground.order(state: "enRoute", provider: nurse)
                        try await PositionTests.report(nurse, ProvidersGround.north(3_000), ground)
                        try await eventually("announced when near, and again no more") {
                            try await PositionTests.report(nurse, ProvidersGround.north(450), ground)
                            return announced.withLock { !$0.isEmpty }
                        }
                        try await PositionTests.report(nurse, ProvidersGround.north(400), ground)
                        try await eventually("written") {
                            try await PositionTests.stored(nurse, ground)?.place == ProvidersGround.north(400)
                        }
                        #expect(announced.withLock { $0 } == [order])
                    }
                }
            }
        }
    }
}
