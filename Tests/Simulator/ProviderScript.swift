import Contracts
import Foundation
import Phones
import Synchronization

/// How a working day goes, on the provider's phone.
final class ProviderScript: Sendable {
    private struct Day {
        var running: UUID?
        var place: Coordinate
        var requests = 0
    }

    let provider: ProviderPhone
    private let number: Int
    private let seed: UInt64
    private let windows: Windows
    private let observations: Observations
    private let day: Mutex<Day>

    private var phone: Phone { provider.phone }
    private var repeating: Repeating { Repeating(observations: observations) }

    init(
        _ provider: ProviderPhone, number: Int, at place: Coordinate, seed: UInt64, windows: Windows,
        observations: Observations
    ) {
        self.provider = provider
        self.number = number
        self.seed = seed
        self.windows = windows
        self.observations = observations
        day = Mutex(Day(place: place))
    }

    /// Answers requests until it is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.strollWhileFree() }
            var index = 0
            while !Task.isCancelled {
                do {
                    let entries = try await provider.stream.log.entries(from: index, within: .seconds(60))
                    index += entries.count
                    for entry in entries {
                        guard case .order(let order) = entry.event, order.state == .requested else { continue }
                        let behaviour = nextBehaviour()
                        group.addTask { await self.answer(order, behaviour) }
                    }
                } catch { break }  // Cancelled: the day is over.
            }
            group.cancelAll()
        }
    }

    private func nextBehaviour() -> ProviderBehaviour {
        let request = day.withLock { day in
            day.requests += 1
            return day.requests
        }
        return ProviderBehaviour(seed: seed, provider: number, request: request)
    }

    // MARK: Moving

    /// A free provider wanders about, and the phone says where.
    private func strollWhileFree() async {
        var generator = SplitMix(seed: seed, "stroll", number)
        while !Task.isCancelled {
            let pause = Timing.idlePosition * Double.random(in: 0.7...1.3, using: &generator)
            do {
                try await Task.sleep(for: pause)
                let place: Coordinate? = day.withLock { day in
                    guard day.running == nil else { return nil }
                    day.place.latitude += Double.random(in: -0.002...0.002, using: &generator)
                    day.place.longitude += Double.random(in: -0.002...0.002, using: &generator)
                    return day.place
                }
                if let place { try await phone.post(position: place) }
            } catch is CancellationError {
                return
            } catch {
                guard !Task.isCancelled else { return }
                observations.surprise("provider \(number), position: \(error)")
            }
        }
    }

    /// Sets out as fast as dispatch believes, and is there afterwards: a journey of an hour takes a second here.
    private func travel(to end: Coordinate) async throws {
        for _ in 1...Timing.travelSteps {
            try await Task.sleep(for: Timing.travelStep)
            let place = day.withLock { day in
                day.place = Timing.step(from: day.place, to: end)
                return day.place
            }
            try await phone.post(position: place)
        }
        day.withLock { $0.place = end }
    }

    /// Tells dispatch where the next order begins: a pin that a person sets is believed however far it is.
    private func setPin() async throws {
        try await phone.setAvailable(true, at: day.withLock { $0.place }, in: provider.market)
    }

    // MARK: Orders

    private func answer(_ order: OrderView, _ behaviour: ProviderBehaviour) async {
        do {
            try await Task.sleep(for: .milliseconds(behaviour.thinkMilliseconds))
            switch behaviour.answer {
            case .ignores: return
            case .declines: try await decline(order.id)
            case .accepts:
                let isFree = day.withLock { day in
                    guard day.running == nil else { return false }
                    day.running = order.id
                    return true
                }
                // The order at hand may end just now, and then this one may be taken.
                guard isFree || behaviour.isGreedy else { return try await decline(order.id) }
                defer { day.withLock { if $0.running == order.id { $0.running = nil } } }
                guard try await accept(order.id, behaviour) else {
                    if !isFree { try await decline(order.id) }
                    return
                }
                if !isFree { day.withLock { $0.running = order.id } }
                if try await visit(order.id, behaviour) { try await setPin() }
            }
        } catch is CancellationError {
        } catch {
            guard !Task.isCancelled else { return }
            observations.surprise("order \(order.id.path), provider \(number): \(error)")
        }
    }

    private func decline(_ order: UUID) async throws {
        try await tolerating { try await phone.act("decline", on: order, ["reason": "not today"]) }
    }

    /// - Returns: whether it is this provider's now.
    private func accept(_ order: UUID, _ behaviour: ProviderBehaviour) async throws -> Bool {
        let sent = ContinuousClock.now
        let body = behaviour.companion.map { ["companion": $0] } ?? [:]
        let isMine = try await tolerating {
            _ = try await repeating.send(behaviour.repeats, "accept", mark: \.version) { [phone] key in
                try await phone.act("accept", on: order, body, key: key)
            }
        }
        if isMine { observations.update { $0.acceptances[order] = sent } }
        return isMine
    }

    /// From the acceptance to the end.
    /// - Returns: whether the provider went there.
    private func visit(_ order: UUID, _ behaviour: ProviderBehaviour) async throws -> Bool {
        let windowsEnd = Duration.seconds(windows.paymentSeconds + 30)
        let paid = try await provider.stream.order(order, "paid or over", within: windowsEnd) {
            $0.state == .enRoute || $0.state == .arrived || $0.state.isFinal
        }
        guard !paid.state.isFinal, !behaviour.neverGoes else { return false }
        if let place = try await phone.order(order).place {
            try await travel(to: Coordinate(latitude: place.latitude, longitude: place.longitude))
        } else {
            observations.surprise("order \(order.path): its provider is not shown the place")
        }
        guard try await arrive(order) else { return true }
        try await Task.sleep(for: Timing.work)
        if !behaviour.neverConfirms {
            try await tolerating {
                _ = try await repeating.send(behaviour.repeats, "complete", mark: \.id) { [phone] key in
                    try await phone.act("complete", on: order, key: key)
                }
            }
        }
        let last = try await provider.stream.order(order, "the end", within: windows.longestOrder) { $0.state.isFinal }
        if last.state == .completed, behaviour.rates {
            try await tolerating { try await phone.rate(order, stars: Int.random(in: 3...5)) }
        }
        return true
    }

    /// Rings the bell until the customer has seen who is there.
    /// - Returns: whether the order still waits for it.
    private func arrive(_ order: UUID) async throws -> Bool {
        for _ in 1..<100 {
            do {
                try await phone.act("arrive", on: order)
                return true
            } catch let refusal as Refusal where refusal.slug == "not-at-place" {
                try await Task.sleep(for: .milliseconds(100))
            } catch let refusal as Refusal where refusal.status == 409 {
                return false
            }
        }
        observations.surprise("order \(order.path): its customer has not said that its provider came")
        return false
    }

    /// Runs what a race may have made impossible.
    /// - Returns: whether it was possible.
    @discardableResult
    private func tolerating(_ body: () async throws -> Void) async throws -> Bool {
        do {
            try await body()
            return true
        } catch let refusal as Refusal where refusal.status == 409 {
            return false
        }
    }
}
