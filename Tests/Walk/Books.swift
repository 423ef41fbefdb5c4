import Contracts
import Phones

struct NotAsItMustBe: Error, CustomStringConvertible { let description: String }

/// Where the money is, told and checked after each step.
struct Books {
    let customer: Phone
    let provider: Phone
    /// What the provider is called.
    let providerName: String
    let desk: AdminDesk
    let currency: String
    /// Of orders before this one.
    let before: TrialBalance.Currency?

    private struct Page: Equatable {
        var customer: Int
        var held: Int
        var provider: Int
        var platform: Int
        var sum: Int
    }

    private func read() async throws -> Page {
        let ledger = try await desk.ledger(of: currency)
        return Page(
            customer: try await customer.balance(in: currency),
            held: (ledger?.heldInEscrow ?? 0) - (before?.heldInEscrow ?? 0),
            provider: try await provider.balance(in: currency),
            platform: (ledger?.balance(of: "platform") ?? 0) - (before?.balance(of: "platform") ?? 0),
            sum: ledger?.sum ?? 0)
    }

    private func tell(_ page: Page) {
        func amount(_ minor: Int) -> String { text(Money(amount: minor, currency: currency)) }
        say(
            "",
            "  money: customer \(amount(page.customer)), in escrow \(amount(page.held)), \(providerName) \(amount(page.provider)), platform \(amount(page.platform)), sum \(page.sum)"
        )
    }

    func tell() async throws { tell(try await read()) }

    /// Waits until the money is there and nowhere else.
    func expect(customer: Int, held: Int, provider: Int, platform: Int) async throws {
        let expected = Page(customer: customer, held: held, provider: provider, platform: platform, sum: 0)
        var last = try await read()
        do {
            try await desk.phone.until("the money is where it must be") {
                last = try await read()
                return last == expected
            }
        } catch {
            tell(last)
            throw NotAsItMustBe(description: "the money must be \(expected) and is \(last)")
        }
        tell(last)
    }
}
