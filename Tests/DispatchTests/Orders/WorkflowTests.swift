import ArgumentParser
import Contracts
import Foundation
import SeraiJSON
import Testing

@testable import SeraiDispatch

@Suite("P3: workflows")
struct WorkflowTests {
    @Test("each market's workflow is one that there is")
    func markets() {
        for market in Market.all {
            for kind in market.kinds {
                guard let workflow = Workflow.named(kind.id) else { continue }
                #expect((workflow.first == .pending) == (kind.paying == .first), "\(market.id) \(kind.id)")
            }
            #expect(Set(market.kinds.map(\.id)).count == market.kinds.count)
        }
        #expect(Workflow.named("nothing") == nil)
    }

    @Test("P3a: in each workflow every state can be reached, and one that is not final has a wait with an outcome")
    func waits() throws {
        for workflow in Workflow.all {
            var waits: [OrderState: Set<OrderWindow>] = [workflow.first: workflow.opening.waits]
            for row in workflow.rows {
                #expect(row.effects.waits.count <= 1, "\(row) waits in one way")
                waits[row.to, default: []].formUnion(row.effects.waits)
                // A state that is entered begins a wait.
                if row.from != row.to { #expect(row.effects.waits.isEmpty == row.to.isFinal, "\(row)") }
            }
            for (state, windows) in waits {
                #expect(windows.isEmpty == state.isFinal, "\(workflow.kind) \(state)")
                for window in windows {
                    let kind = OrderTrigger.windowOver(window).kind
                    // It ends, it is open again, the other party is asked, or it comes before an admin, of whose decision all are
                    // reminded.
                    let outcomes: Set<OrderState> = [.requested, .preparing, .arrived, .disputed]
                    #expect(
                        workflow.rows.contains {
                            $0.from == state && $0.trigger == kind && ($0.to.isFinal || outcomes.contains($0.to))
                        }, "\(workflow.kind) \(state) \(window)")
                }
            }
            for row in workflow.rows { #expect(waits[row.from] != nil, "\(workflow.kind) reaches \(row.from)") }
        }
    }

    @Test("O1: in each workflow a provider who is claimed is freed at every end, and nobody else is")
    func claims() {
        for workflow in Workflow.all {
            var holding: Set<OrderState> = []
            var isGrowing = true
            while isGrowing {
                let next = workflow.rows.filter {
                    $0.effects.contains(.claimsProvider)
                        || (holding.contains($0.from) && !$0.effects.contains(.freesProvider))
                }.map(\.to)
                isGrowing = !holding.isSuperset(of: next)
                holding.formUnion(next)
            }
            for state in holding { #expect(!state.isFinal, "\(workflow.kind) \(state) holds a provider for ever") }
            for row in workflow.rows where row.effects.contains(.freesProvider) { #expect(holding.contains(row.from)) }
        }
    }

    @Test(
        "I11: in each workflow a ban of the customer has a row in each state, and one of the provider where there may be one"
    )
    func bans() {
        for workflow in Workflow.all {
            let reached = Set(workflow.rows.map(\.to) + [workflow.first])
            for state in reached where !state.isFinal && state != .disputed {
                func hasRow(_ trigger: OrderTrigger.Kind) -> Bool {
                    workflow.rows(on: trigger, by: .system).contains { $0.from == state }
                }
                // A bike that is out has to come back, whoever has it.
                let runsOn = workflow.kind == "bikePickUp" && state == .inProgress
                #expect(hasRow(.customerBanned) == !runsOn, "\(workflow.kind) \(state)")
                let isProviders = workflow.rows.contains { $0.from == state && $0.actors.contains(.provider) }
                let isTaken = workflow.rows.contains { $0.from == state && $0.trigger == .take }
                #expect(hasRow(.providerBanned) == (isProviders && !isTaken), "\(workflow.kind) \(state)")
            }
        }
    }

    @Test("each transition ends the wait that the state before it had, and tells one thing")
    func ends() {
        for workflow in Workflow.all {
            #expect(workflow.opening.news.count == 1)
            for row in workflow.rows {
                #expect(row.effects.news.count == 1, "\(row)")
                if row.from != row.to, !row.from.isFinal { #expect(row.effects.ends.count == 1, "\(row)") }
                // A wait begins where another one has ended.
                #expect(row.effects.waits.isEmpty || row.effects.ends.count == 1, "\(row)")
            }
        }
    }

    @Test(
        "`dispatch workflow KIND` prints a Mermaid diagram of each workflow, with a line for each row",
        arguments: Workflow.all.map(\.kind))
    func diagrams(_ kind: String) throws {
        let workflow = try #require(Workflow.named(kind))
        let command = try #require(try WorkflowCommand.parseAsRoot([kind]) as? WorkflowCommand)
        let lines = try command.diagram().split(separator: "\n").map(String.init)
        #expect(lines.first == "stateDiagram-v2")
        #expect(lines.contains("    [*] --> \(workflow.first.rawValue)"))
        for row in workflow.rows {
            let start = "    \(row.from.rawValue) --> \(row.to.rawValue): \(row.trigger.rawValue) by "
            let condition = row.condition == .always ? " / " : " [\(row.condition.rawValue)] / "
            #expect(lines.contains { $0.hasPrefix(start) && $0.contains(condition) }, "\(row)")
        }
        let finals = Set(workflow.rows.map(\.to).filter(\.isFinal))
        for state in finals { #expect(lines.contains("    \(state.rawValue) --> [*]")) }
        #expect(lines.count == 2 + workflow.rows.count + finals.count)
    }

    @Test("`dispatch workflow visit` says who does what and what follows, and of no kind nothing")
    func diagram() throws {
        let command = try #require(try WorkflowCommand.parseAsRoot(["visit"]) as? WorkflowCommand)
        let lines = try command.diagram().split(separator: "\n").map(String.init)
        #expect(
            lines.contains(
                "    requested --> accepted: accept by provider / ends the wait for accept, waits for payment, claims the provider, tells accepted"
            ))
        #expect(lines.contains("    completed --> [*]"))
        let unknown = try #require(try WorkflowCommand.parseAsRoot(["dance"]) as? WorkflowCommand)
        #expect(throws: (any Error).self) { try unknown.diagram() }
    }

    @Test("the manual shows the diagram of the table as it is")
    func manual() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let manual = tests.appending(path: "../../../Services/Dispatch/README.md").standardizedFileURL
        let text = try String(contentsOf: manual, encoding: .utf8)
        #expect(text.contains("```mermaid\n\(Workflow.visit.mermaid)```"))
    }

    @Test(
        "`dispatch markets` lists each market with its workflows, currency, zone, languages and services",
        arguments: Market.all.map(\.id))
    func marketsCommand(_ id: String) throws {
        let lines = MarketsCommand.table.split(separator: "\n")
        #expect(lines.count == Market.all.count + 1)
        let market = try #require(Market.named(id))
        let line = try #require(lines.first { $0.hasPrefix("\(id) ") })
        let columns = line.split(separator: " ").map(String.init)
        for column in [
            market.kinds.isEmpty ? "-" : market.kinds.map(\.id).joined(separator: ","),
            market.kinds.isEmpty ? "-" : market.kinds.map(\.matching.rawValue).joined(separator: ","),
            market.defaults.currency,
            market.defaults.timeZone, market.defaults.languages.joined(separator: ","),
        ] {
            #expect(columns.contains(column), "\(line)")
        }
        #expect(line.contains(market.name.text(in: "en")) && columns.last == String(market.services.count))
    }
}

extension [OrderEffect] {
    fileprivate var waits: Set<OrderWindow> {
        Set(
            compactMap { effect in
                switch effect {
                case .waits(let window), .resumes(let window): window
                default: nil
                }
            })
    }
    fileprivate var ends: [OrderWindow] { compactMap { if case .ends(let window) = $0 { window } else { nil } } }
    fileprivate var news: [OrderNews] { compactMap { if case .tells(let news) = $0 { news } else { nil } } }
}
