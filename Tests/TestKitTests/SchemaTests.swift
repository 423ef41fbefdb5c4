import Foundation
import TestKit
import Testing

/// Each keyword with values that it accepts and values that it refuses.
@Suite("The check of schemas")
struct SchemaTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let schema: String
        let accepted: [String]
        let refused: [String]

        init(_ schema: String, accepts accepted: [String], refuses refused: [String]) {
            self.schema = schema
            self.accepted = accepted
            self.refused = refused
        }

        var testDescription: String { schema }
    }

    /// A document whose one answer has the schema.
    static func contract(_ schema: String) throws -> OpenAPIContract {
        try OpenAPIContract(
            yaml: """
                openapi: 3.1.0
                paths:
                  /a:
                    get:
                      responses:
                        "200": { content: { application/json: { schema: \(schema) } } }
                components:
                  schemas:
                    Name: { type: object, required: [name], properties: { name: { type: string } } }
                    Kind: { enum: [one, two] }
                """)
    }

    static func faults(_ contract: OpenAPIContract, _ json: String) -> [String] {
        contract.faults(
            in: HTTPExchange(
                "GET", "/a", status: 200, answerType: "application/json; charset=utf-8", answerBody: Data(json.utf8)))
    }

    static let types = [
        Sample("{ type: string }", accepts: [#""""#, #""a""#], refuses: ["1", "null", "true", "[]", "{}"]),
        Sample("{ type: integer }", accepts: ["0", "-3", "2.0"], refuses: ["1.5", #""1""#, "true", "null"]),
        Sample("{ type: number }", accepts: ["0", "1.5", "-2e3"], refuses: [#""1""#, "false"]),
        Sample("{ type: boolean }", accepts: ["true", "false"], refuses: ["0", "1", #""true""#, "null"]),
        Sample("{ type: array }", accepts: ["[]", "[1]"], refuses: ["{}", #""a""#]),
        Sample("{ type: object }", accepts: ["{}"], refuses: ["[]", "null"]),
        Sample(#"{ type: "null" }"#, accepts: ["null"], refuses: ["0", #""""#]),
        Sample(#"{ type: [string, "null"] }"#, accepts: [#""a""#, "null"], refuses: ["1", "{}"]),
        Sample("{ enum: [a, 2, true] }", accepts: [#""a""#, "2", "true"], refuses: [#""b""#, "3", "false", #""2""#]),
        Sample("{ type: string, x-extensible-enum: [a, b] }", accepts: [#""a""#], refuses: [#""c""#, "1"]),
        Sample("{ const: a }", accepts: [#""a""#], refuses: [#""b""#, "1"]),
    ]

    static let bounds = [
        Sample("{ minimum: 1, maximum: 3 }", accepts: ["1", "2.5", "3", #""a""#], refuses: ["0", "3.1", "-2"]),
        Sample("{ exclusiveMinimum: 1, exclusiveMaximum: 3 }", accepts: ["1.1", "2"], refuses: ["1", "3"]),
        Sample("{ multipleOf: 5 }", accepts: ["0", "-10"], refuses: ["3", "2.5"]),
        Sample(
            "{ minLength: 2, maxLength: 3 }", accepts: [#""ab""#, #""كتب""#, "7"], refuses: [#""a""#, #""abcd""#]),
        Sample(#"{ pattern: "^[A-Z]{3}$" }"#, accepts: [#""SAR""#], refuses: [#""sar""#, #""SARS""#]),
        Sample("{ minItems: 1, maxItems: 2 }", accepts: ["[1]", "[1, 1]"], refuses: ["[]", "[1, 2, 3]"]),
        Sample("{ uniqueItems: true }", accepts: ["[1, 2]", "[]"], refuses: ["[1, 2, 1]", "[1, 1.0]"]),
        Sample("{ items: { type: string } }", accepts: ["[]", #"["a"]"#], refuses: ["[1]", #"["a", null]"#]),
        Sample(
            "{ type: object, additionalProperties: true, minProperties: 1, maxProperties: 2 }",
            accepts: [#"{"a": 1}"#], refuses: ["{}", #"{"a": 1, "b": 2, "c": 3}"#]),
    ]

    static let formats = [
        Sample(
            "{ format: uuid }", accepts: [#""0195d3a0-0000-7000-8000-00000000000a""#],
            refuses: [#""0195d3a0""#, #""""#]),
        Sample(
            "{ format: date-time }", accepts: [#""2026-11-22T08:30:00Z""#, #""2026-11-22T08:30:00.125+03:00""#],
            refuses: [#""2026-11-22""#, #""2026-11-22 08:30:00Z""#, #""2026-02-30T08:30:00Z""#]),
        Sample(
            "{ format: date }", accepts: [#""2028-02-29""#],
            refuses: [#""2026-02-29""#, #""2026-13-01""#, #""26-01-01""#, #""2026-11-22T08:30:00Z""#]),
        Sample("{ format: email }", accepts: [#""a@b.example""#], refuses: [#""a""#, #""a@""#, #""a b@c""#]),
        Sample("{ format: uri }", accepts: [#""https://a.example/b""#], refuses: [#""/a""#, #""https://a b""#]),
        Sample("{ format: uri-reference }", accepts: [#""/a""#, #""https://a""#], refuses: [#""""#, #""a b""#]),
        Sample("{ format: password }", accepts: [#""""#, #""a b""#], refuses: []),
        Sample("{ format: binary }", accepts: [#""a b""#], refuses: []),
    ]

    static let parts = [
        Sample(
            "{ properties: { a: { type: string } }, required: [a] }", accepts: [#"{"a": "b"}"#],
            refuses: ["{}", #"{"a": 1}"#, #"{"a": "b", "c": 1}"#, #"{"a": null}"#]),
        Sample(
            "{ properties: { a: { type: string } }, additionalProperties: { type: integer } }",
            accepts: ["{}", #"{"a": "b", "c": 1}"#], refuses: [#"{"c": "d"}"#]),
        Sample("{ type: object, additionalProperties: false }", accepts: ["{}"], refuses: [#"{"a": 1}"#]),
        Sample("{ type: object, additionalProperties: true }", accepts: [#"{"a": {"b": 1}}"#], refuses: ["1"]),
        Sample(
            ##"{ $ref: "#/components/schemas/Name" }"##, accepts: [#"{"name": "a"}"#],
            refuses: ["{}", #"{"name": "a", "more": 1}"#]),
        Sample(
            ##"{ allOf: [{ $ref: "#/components/schemas/Name" }, { properties: { age: { type: integer } } }] }"##,
            accepts: [#"{"name": "a"}"#, #"{"name": "a", "age": 3}"#],
            refuses: [#"{"age": 3}"#, #"{"name": "a", "age": "b"}"#, #"{"name": "a", "more": 1}"#]),
        Sample(
            ##"{ anyOf: [{ $ref: "#/components/schemas/Kind" }, { enum: [two, three] }] }"##,
            accepts: [#""one""#, #""two""#, #""three""#], refuses: [#""four""#]),
        Sample(
            ##"{ oneOf: [{ $ref: "#/components/schemas/Kind" }, { enum: [two, three] }] }"##,
            accepts: [#""one""#, #""three""#], refuses: [#""two""#, #""four""#]),
        Sample("{ description: Anything. }", accepts: ["1", "null", #"{"a": 1}"#], refuses: []),
    ]

    static let samples = types + bounds + formats + parts

    @Test("a keyword accepts what fits it and refuses what does not", arguments: SchemaTests.samples)
    func keywords(sample: Sample) throws {
        let contract = try Self.contract(sample.schema)
        for json in sample.accepted { #expect(Self.faults(contract, json) == [], "\(json)") }
        for json in sample.refused { #expect(!Self.faults(contract, json).isEmpty, "\(json)") }
    }

    @Test("a fault names the request, the status and where in the answer")
    func pointers() throws {
        let contract = try Self.contract(
            "{ properties: { items: { type: array, items: { properties: { a/b: { type: string } } } } } }")
        #expect(
            Self.faults(contract, #"{"items": [{}, {"a/b": 1, "c": 2}]}"#) == [
                "GET /a 200: the answer: /items/1/a~1b is no string",
                "GET /a 200: the answer: /items/1/c is not described",
            ])
    }

    @Test(
        "a keyword, a format, a type or a form that is not known is a fault of the document, wherever it stands",
        arguments: [
            "{ typ: string }", "{ items: { unevaluatedItems: false } }", "{ properties: { a: { if: {} } } }",
            "{ type: text }", "{ type: [string, text] }", "{ format: ipv4 }", "{ required: a }", "{ enum: [] }",
            "{ minimum: a }", "{ uniqueItems: 1 }", #"{ pattern: "[" }"#, "{ allOf: {} }", "{ properties: [] }",
            "{ items: true }", #"{ $ref: "other.yaml" }"#, ##"{ items: { $ref: "#/components/schemas/None" } }"##,
            "{ type: integer, description: Amounts, in minor units. }",
        ])
    func unknown(schema: String) {
        #expect(throws: DocumentFault.self) { try Self.contract(schema) }
    }
}
