import Testing

@testable import SeraiWallet

@Suite struct ServiceTests {
    @Test("the service owns the schema of its name") func name() { #expect(WalletService.name == "wallet") }
}
