import Foundation
import HTTPTypes
import Hummingbird
import Postgres
import ServiceKit

/// `/notifications/v1/unsubscribe/{token}`: the address in a mail's header, for anybody who has the mail.
struct UnsubscribeRoute: Sendable {
    let pool: PostgresPool
    let unsubscribing: MailUnsubscribing

    func add(to router: Router<SeraiRequestContext>) {
        let group = router.group("notifications/v1/unsubscribe")
        // Mail scanners open every link: opening changes nothing and leads to the page where the choice is made.
        group.get("{token}") { _, context in
            guard unsubscribing.read(try context.parameters.require("token")) != nil else { throw Problem.notFound }
            return Response(status: .seeOther, headers: [.location: "/me/notices"])
        }
        group.post("{token}") { _, context in
            guard let (account, kind) = unsubscribing.read(try context.parameters.require("token")) else {
                throw Problem.notFound
            }
            _ = try await pool.execute(StoreChoice(account: account, kind: kind, chosen: [.mail: false]))
            return HTTPResponse.Status.noContent
        }
    }
}
