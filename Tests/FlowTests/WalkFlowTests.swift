import Contracts
import Foundation
import Phones
import SeraiJSON
import Synchronization
import Testing

@testable import Walk

@Suite("The walk", .serialized, .timeLimit(.minutes(15)))
struct WalkFlowTests {
    @Test("P5, W6: every story of the walk tells who did what, and what money each step moved, which sums up to zero")
    func stories() async throws {
        try await Platform.withPlatform { platform in
            let desk = try await AdminDesk.signIn(platform)
            let told = try await tell(platform.town, desk)
            #expect(told.count == Story.allCases.count)
            for story in told { try check(story) }
            for person in told.flatMap(\.people) {
                try await Phone(desk.phone.network).signIn(login: person.email, password: person.password)
            }
        }
    }

    /// All at once, but for those of one currency: each looks at the whole ledger of its own.
    private func tell(_ town: Newcomer.Town, _ desk: AdminDesk) async throws -> [Told] {
        let byCurrency = Dictionary(grouping: Story.allCases) { $0.market.defaults.currency }
        return try await withThrowingTaskGroup(of: [Told].self) { group in
            for stories in byCurrency.values {
                group.addTask { try await Told.all(stories, town, desk) }
            }
            var told: [Told] = []
            for try await some in group { told += some }
            return told
        }
    }

    private func check(_ told: Told) throws {
        let currency = told.story.market.defaults.currency
        let steps = told.steps
        #expect(steps.count > 5, "\(told.lines)")
        #expect(told.people.count >= 2 && told.people.allSatisfy { $0.market == told.story.market.id })
        var amounts: [String: Int] = [:]
        for step in steps {
            #expect(!step.who.isEmpty && !step.what.isEmpty, "\(step)")
            #expect(step.moves.map(\.change).reduce(0, +) == 0, "\(step)")
            #expect(step.moves.isEmpty == step.saysNothingMoves, "\(step)")
            for move in step.moves {
                #expect(move.change != 0 && move.currency == currency, "\(step)")
                amounts[move.place, default: 0] += move.change
                #expect(amounts[move.place] == move.now, "\(step)")
            }
        }
        guard told.story.movesMoney else {
            #expect(amounts.isEmpty, "\(amounts)")
            return
        }
        // The columns stand under each other, whatever they say.
        let money = told.lines.filter { $0.contains("   now ") }
        #expect(money.count >= 5 && Set(money.map(\.count)).count == 1, "\(money)")
        #expect(amounts["held"] == 0 && amounts["deposit"] ?? 0 == 0, "\(amounts)")
        let outside = try #require(amounts["outside"])
        #expect(outside < 0 && amounts.values.reduce(0, +) == 0, "\(amounts)")
    }

    @Test("P11: who was met on the walk is listed with what one signs in with")
    func accounts() {
        let nurse = Acquaintance(
            market: "assef", role: "nurse", name: "Huda", mobile: "+8613", email: "h@phones.example",
            password: "Secret-42")
        #expect(
            accountLines(nurse)
                == "assef     nurse     Huda\n          +8613  h@phones.example  Secret-42")
    }

    @Test("P5: the walk's amounts are in major units with their sign and currency")
    func texts() {
        #expect(text(Money(amount: -50, currency: "SAR")) == "-0.50 SAR")
        #expect(text(Money(amount: 20_001, currency: "SAR")) == "200.01 SAR")
        #expect(
            moneyLine(.wallet("nurse"), by: 17_001, to: 17_001, "SAR")
                == "            nurse         +170.01 SAR   now     170.01 SAR")
        #expect(
            moneyLine(.outside, by: -20_001, to: -20_001, "SAR")
                == "            outside       -200.01 SAR   now    -200.01 SAR")
    }
}

/// What one story told, line by line.
private struct Told: Sendable {
    struct Move {
        let place: String
        /// Minor units.
        let change, now: Int
        let currency: String
    }

    struct Step {
        let who, what: String
        var moves: [Move] = []
        var saysNothingMoves = false
    }

    let story: Story
    let lines: [String]
    let people: [Acquaintance]

    static func all(_ stories: [Story], _ town: Newcomer.Town, _ desk: AdminDesk) async throws -> [Told] {
        var told: [Told] = []
        for story in stories {
            let (lines, people) = (Lines(), Acquaintances())
            try await story.walk(town, desk: desk, people: people) { lines.add($0) }
            told.append(Told(story: story, lines: lines.all, people: people.all))
        }
        return told
    }

    /// Lines that no money follows are no steps: they only show how something goes on.
    var steps: [Step] {
        var steps: [Step] = []
        for line in lines {
            if let move = Self.move(line) {
                if let last = steps.indices.last { steps[last].moves.append(move) }
            } else if line.hasSuffix("  no money moves") {
                if let last = steps.indices.last { steps[last].saysNothingMoves = true }
            } else {
                let who = line.prefix(10).trimmingCharacters(in: .whitespaces)
                steps.append(Step(who: who, what: String(line.dropFirst(10))))
            }
        }
        return steps.filter { !$0.moves.isEmpty || $0.saysNothingMoves }
    }

    private static func move(_ line: String) -> Move? {
        guard
            let match = line.wholeMatch(of: /\s+(\w+)\s+([+-][\d.]+) ([A-Z]+)   now\s+(-?[\d.]+) ([A-Z]+)/),
            match.3 == match.5, let change = minor(match.2), let now = minor(match.4)
        else { return nil }
        return Move(place: String(match.1), change: change, now: now, currency: String(match.3))
    }

    private static func minor(_ decimal: Substring) -> Int? { Int(decimal.filter { $0 != "." }) }
}

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
