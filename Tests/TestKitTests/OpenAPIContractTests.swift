import Foundation
import TestKit
import Testing

/// What an OpenAPI document promises, against exchanges that keep and break it.
@Suite("The check of answers")
struct OpenAPIContractTests {
    private static let yaml = """
        openapi: 3.1.0
        paths:
          /a/{id}:
            get:
              responses:
                "200": { content: { application/json: { schema: { type: integer } }, text/csv: { schema: {} } } }
                "404": { $ref: "#/components/responses/Problem" }
                default: { $ref: "#/components/responses/Problem" }
            delete: { responses: { "204": { description: Gone. } } }
            put:
              requestBody:
                required: true
                content:
                  application/json: { schema: { properties: { b: { type: string } } } }
                  image/*: { schema: { type: string } }
              responses: { "204": { description: Done. }, "422": { $ref: "#/components/responses/Problem" } }
          /a/newest:
            get: { responses: { "200": { content: { application/json: { schema: { type: string } } } } } }
          /a/list.csv:
            get: { responses: { "200": { content: { text/csv: {} } } } }
        components:
          responses:
            Problem:
              content: { application/problem+json: { schema: { properties: { type: { type: string } } } } }
        """

    private func faults(
        _ method: String, _ path: String, _ status: Int, _ type: String? = nil, _ body: String = ""
    ) throws -> [String] {
        try OpenAPIContract(yaml: Self.yaml).faults(
            in: HTTPExchange(method, path, status: status, answerType: type, answerBody: Data(body.utf8)))
    }

    private func put(_ type: String?, _ body: String, _ status: Int = 204) throws -> [String] {
        var exchange = HTTPExchange("PUT", "/a/1", requestType: type, requestBody: Data(body.utf8), status: status)
        if status >= 400 {
            exchange.answerType = "application/problem+json"
            exchange.answerBody = Data("{}".utf8)
        }
        return try OpenAPIContract(yaml: Self.yaml).faults(in: exchange)
    }

    @Test("an answer as documented has no faults; the path with the most literal parts counts")
    func good() throws {
        #expect(try faults("GET", "/a/7", 200, "application/json", "3") == [])
        #expect(try faults("GET", "/a/7", 200, "text/csv; charset=utf-8", "a,b") == [])
        #expect(try faults("GET", "/a/newest", 200, "application/json", #""b""#) == [])
        #expect(try faults("GET", "/a/list.csv", 200, "text/csv", "a") == [])
        #expect(try faults("DELETE", "/a/7", 204) == [])
    }

    @Test("an operation, a status, a content type or a body that is not documented is a fault")
    func bad() throws {
        #expect(try faults("GET", "/b", 200, "application/json", "3").count == 1)
        #expect(try faults("POST", "/a/7", 200, "application/json", "3").count == 1)
        #expect(try faults("GET", "/a/7", 201, "application/json", "3").count == 1)
        #expect(try faults("GET", "/a/7", 200, "text/html", "3").count == 1)
        #expect(try faults("GET", "/a/7", 200, nil, "3").count == 1)
        #expect(try faults("GET", "/a/7", 200, "application/json", "{").count == 1)
        #expect(try faults("GET", "/a/7", 200, "application/json", "").count == 1)
        #expect(try faults("GET", "/a/newest", 200, "application/json", "3").count == 1)
        #expect(try faults("DELETE", "/a/7", 204, "application/json", "3").count == 1)
    }

    @Test("the default stands for what any operation may answer, and for nothing else")
    func defaults() throws {
        for status in OpenAPIContract.commonStatuses {
            #expect(try faults("GET", "/a/7", status, "application/problem+json", "{}") == [])
            #expect(try faults("DELETE", "/a/7", status, "application/problem+json", "{}").count == 1)
        }
        #expect(try faults("GET", "/a/7", 404, "application/problem+json", #"{"type": "a"}"#) == [])
        for status in [403, 409, 422, 500] {
            #expect(try faults("GET", "/a/7", status, "application/problem+json", "{}").count == 1)
        }
        #expect(try faults("GET", "/a/7", 404, "application/problem+json", #"{"more": 1}"#).count == 1)
        #expect(try faults("GET", "/a/7", 404, "application/json", "{}").count == 1)
    }

    @Test("a request that was accepted must be as documented; of one that was refused nothing is asked")
    func requests() throws {
        #expect(try put("application/json", #"{"b": "c"}"#) == [])
        #expect(try put("image/png", "…") == [])
        #expect(try put("application/json", #"{"b": 1}"#).count == 1)
        #expect(try put("application/json", #"{"c": 1}"#).count == 1)
        #expect(try put("text/plain", "b").count == 1)
        #expect(try put("application/json", "").count == 1)
        #expect(try put("application/json", #"{"b": 1}"#, 422) == [])
        var bodiless = HTTPExchange("DELETE", "/a/1", requestBody: Data("{}".utf8), status: 204)
        #expect(try OpenAPIContract(yaml: Self.yaml).faults(in: bodiless) == [])
        bodiless.requestBody = Data(#"{"b": 1}"#.utf8)
        #expect(try OpenAPIContract(yaml: Self.yaml).faults(in: bodiless).count == 1)
    }

    @Test(
        "each service's document has schemas that are understood whole",
        arguments: ["Identity", "Dispatch", "Wallet", "Notifications", "Admin"])
    func services(service: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Services/\(service)/openapi.yaml")
        _ = try OpenAPIContract(yaml: try String(contentsOf: file, encoding: .utf8))
    }
}
