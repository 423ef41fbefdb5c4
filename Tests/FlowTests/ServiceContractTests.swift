import Foundation
import Phones
import TestKit
import Testing

/// What holds the flow tests' answers against the documents, by itself.
@Suite("The documents of the services")
struct ServiceContractTests {
    private func answered(_ call: Call, _ status: Int, _ body: String) -> AnsweredCall {
        AnsweredCall(call: call, status: status, contentType: "application/json", body: Data(body.utf8))
    }

    @Test("an answer as documented passes, and what is no service's is nobody's to document")
    func described() throws {
        let contracts = try ServiceContracts()
        let unread = Call.get("/notifications/v1/inbox/unread")
        #expect(contracts.faults(in: answered(unread, 200, #"{"count": 3}"#)) == [])
        #expect(contracts.faults(in: answered(.get("/sink/mail?to=a"), 200, "[]")) == [])
    }

    @Test("a field, a path or a status that is not documented fails the test that meets it")
    func undescribed() throws {
        let watch = try ServiceContracts.watch()
        let unread = Call.get("/notifications/v1/inbox/unread")
        withKnownIssue { watch(answered(unread, 200, #"{"count": 3, "more": 1}"#)) }
        withKnownIssue { watch(answered(unread, 404, "{}")) }
        withKnownIssue { watch(answered(.get("/wallet/v1/none?a=b"), 200, "{}")) }
    }
}
