import Testing

@testable import AMQP

@Suite("Strings that come again")
struct InternerTests {
    @Test("whatever came before, the string is the one of the bytes")
    func anyOrder() {
        var interner = Interner()
        let names =
            (0..<2000).map { "dispatch.order.\($0 % 700).accepted.v\($0 % 3)" } + [
                "", "é", "exactly 16 bytes", "15 bytes long...",
            ]
        for name in names + names.reversed() {
            let made = Array(name.utf8).withUnsafeBytes { interner.string($0) }
            #expect(made == name)
        }
    }
}
