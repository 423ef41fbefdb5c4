import Contracts
import Crypto
import CryptoExtras
import Foundation
import SeraiJSON
import ServiceKit
import Testing

@testable import SeraiIdentity

@Suite("ID tokens, keys and people by themselves", .timeLimit(.minutes(15)))
struct OpenIDTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let expected = IDToken.Expectation(
        issuer: "https://nafath.example", clientID: "serai", nonce: "n", now: now)
    private static let claims =
        #"{"iss":"https://nafath.example","aud":"serai","sub":"x","nonce":"n","iat":1800000000,"exp":1800000300}"#

    private static func encode(_ data: some DataProtocol) -> String { SeraiIdentity.Base64URL.encode(Data(data)) }

    /// A key set with a key of each kind, and what signs with each.
    private struct Keys {
        let rsa: _RSA.Signing.PrivateKey
        let p256 = P256.Signing.PrivateKey()
        let ed25519 = Curve25519.Signing.PrivateKey()

        init() throws { rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

        func set(_ extra: String = "") throws -> IDTokenKeys? {
            let parts = try rsa.publicKey.getKeyPrimitives()
            let point = p256.publicKey.rawRepresentation
            let json = """
                {"keys":[{"kty":"RSA","use":"sig","kid":"r","n":"\(encode(parts.modulus))",\
                "e":"\(encode(parts.publicExponent))"},\
                {"kty":"EC","crv":"P-256","kid":"p","alg":"ES256","x":"\(encode(point.prefix(32)))",\
                "y":"\(encode(point.suffix(32)))"},\
                {"kty":"OKP","crv":"Ed25519","kid":"e","x":"\(encode(ed25519.publicKey.rawRepresentation))"}\(extra)]}
                """
            return IDTokenKeys(try JSONValue(parsing: Array(json.utf8)))
        }

        func token(_ algorithm: String, _ id: String, _ claims: String) throws -> String {
            let head = #"{"alg":"\#(algorithm)","kid":"\#(id)"}"#
            let text = [head, claims].map { encode(Data($0.utf8)) }.joined(separator: ".")
            let message = Data(text.utf8)
            let signature =
                switch id {
                case "r":
                    try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation
                case "p": try p256.signature(for: message).rawRepresentation
                default: try ed25519.signature(for: message)
                }
            return text + "." + encode(signature)
        }
    }

    @Test("I5: RS256, ES256 and EdDSA are taken, each by its own kind of key only")
    func algorithms() throws {
        let keys = try Keys()
        let set = try #require(try keys.set())
        for (algorithm, id) in [("RS256", "r"), ("ES256", "p"), ("EdDSA", "e")] {
            for (other, key) in [("r", set["r"]), ("p", set["p"]), ("e", set["e"])] {
                let key = try #require(key)
                let token = try IDToken(try keys.token(algorithm, id, Self.claims))
                if other == id {
                    #expect(try token.check(with: key, Self.expected)["sub"] == "x")
                } else {
                    #expect(throws: IDToken.Refusal.wrongAlgorithm) { try token.check(with: key, Self.expected) }
                }
            }
        }
        for algorithm in ["none", "HS256", "RS384", "PS256", "rs256", ""] {
            #expect(throws: IDToken.Refusal.wrongAlgorithm) { try IDToken(try keys.token(algorithm, "e", Self.claims)) }
        }
    }

    @Test("I5: clocks may differ by a minute, and no more")
    func times() throws {
        let keys = try Keys()
        let key = try #require(try keys.set()?["e"])
        func check(_ times: String) throws {
            let claims = Self.claims.replacing(#""iat":1800000000,"exp":1800000300"#, with: times)
            _ = try IDToken(try keys.token("EdDSA", "e", claims)).check(with: key, Self.expected)
        }
        try check(#""iat":1799999000,"exp":1799999941"#)
        #expect(throws: IDToken.Refusal.expired) { try check(#""iat":1799999000,"exp":1799999940"#) }
        try check(#""iat":1800000060,"exp":1800000300"#)
        #expect(throws: IDToken.Refusal.notYetValid) { try check(#""iat":1800000061,"exp":1800000300"#) }
        #expect(throws: IDToken.Refusal.notYetValid) {
            try check(#""iat":1800000000,"nbf":1800000061,"exp":1800000300"#)
        }
        #expect(throws: IDToken.Refusal.badClaims) { try check(#""iat":1800000000,"exp":"1800000300""#) }
        #expect(throws: IDToken.Refusal.badClaims) { try check(#""exp":1800000300"#) }
    }

    @Test("I5: keys of other kinds are passed over; an id that two have, and short RSA keys, are none")
    func keySets() throws {
        let keys = try Keys()
        let x = Self.encode(keys.ed25519.publicKey.rawRepresentation)
        #expect(try keys.set(#",{"kty":"oct","kid":"o","k":"AAAA"},{"kty":"RSA"},7"#) != nil)
        #expect(try keys.set(#",{"kty":"OKP","crv":"Ed25519","kid":"e","x":"\#(x)"}"#) == nil)
        #expect(try keys.set(#",{"kty":"OKP","crv":"Ed25519","kid":"enc","use":"enc","x":"\#(x)"}"#)?["enc"] == nil)
        #expect(try keys.set(#",{"kty":"RSA","kid":"short","n":"\#(x)","e":"AQAB"}"#)?["short"] == nil)
        for json in ["{}", #"{"keys":[]}"#, #"{"keys":7}"#, "[]"] {
            #expect(IDTokenKeys(try JSONValue(parsing: Array(json.utf8))) == nil)
        }
    }

    @Test("I5: a provider reached by TLS names no endpoint that is not, and knows S256")
    func documents() throws {
        func document(_ token: String, _ more: String = "") throws -> IssuerDocument {
            let json = """
                {"issuer":"https://nafath.example","authorization_endpoint":"https://nafath.example/a",\
                "token_endpoint":"\(token)","jwks_uri":"https://keys.example/k"\(more)}
                """
            return try IssuerDocument(try JSONValue(parsing: Array(json.utf8)), issuer: "https://nafath.example")
        }
        #expect(try !document("https://nafath.example/t").postsSecret)
        #expect(
            try document(
                "https://x.example/t", #","token_endpoint_auth_methods_supported":["client_secret_post"]"#
            ).postsSecret)
        for token in ["http://nafath.example/t", "ftp://x", "nothing", "https://user@x.example/t"] {
            #expect(throws: IssuerDocument.Fault.self, "\(token)") { try document(token) }
        }
        #expect(throws: IssuerDocument.Fault.self) {
            try document("https://x.example/t", #","code_challenge_methods_supported":["plain"]"#)
        }
    }

    @Test("I5: a national id is the same however it is written; what is none is none")
    func nationalIDs() {
        #expect(NationalID("1010 101-010")?.text == "1010101010")
        #expect(NationalID("١٠١٠١٠١٠١٠")?.text == "1010101010")
        #expect(NationalID("ab12345")?.text == "AB12345")
        for text in ["", "1234", "10101010é", String(repeating: "1", count: 33), "10101;0"] {
            #expect(NationalID(text) == nil, "\(text)")
        }
    }

    @Test("I5: a job title is a title of the market in both languages and any case, or none")
    func titles() {
        #expect(Market.assef.title(ofJob: "NURSE")?.id == "nurse")
        #expect(Market.assef.title(ofJob: "ممرضة")?.id == "nurse")
        #expect(Market.assef.title(ofJob: "general  practitioner ")?.id == "doctor")
        for job in ["", "nurse assistant", "محاسب", nil] { #expect(Market.assef.title(ofJob: job) == nil) }
    }

    @Test(
        "I5: titles are read as people write them: hamza, vowel signs, article, feminine, rank",
        arguments: [
            ("Senior Staff Nurse", "nurse"), ("ممرّض", "nurse"), ("الممرضة", "nurse"), ("اخصائى تمريض", "nurse"),
            ("أخصائي التمريض", "nurse"), ("Senior Physiotherapist", "physiotherapist"),
            ("اخصائيه علاج طبيعى", "physiotherapist"),
            ("طبيب استشاري", "doctor"), ("طبيبة مقيمة", "doctor"), ("Consultant physician", "doctor"),
            ("طبـيب", "doctor"),
        ])
    func forms(job: String, title: String) {
        #expect(Market.assef.read(jobTitle: job) == .title(title))
    }

    @Test(
        "I5: a grade that says no profession is no title: an admin decides about it",
        arguments: ["Specialist", "Senior Specialist", "أخصائي", "أخصائي أول", "الأخصائية", "استشاري", "فني أول"])
    func grades(job: String) {
        #expect(Market.assef.read(jobTitle: job) == .unknownMedical)
        #expect(Market.assef.title(ofJob: job) == nil)
        #expect(Market.assef.titles.contains { $0.id == "specialist" }, "an admin can still give it")
        #expect(Market.assef.read(jobTitle: "Physiotherapy Specialist") == .title("physiotherapist"))
    }

    @Test(
        "I5: what registers call medical work is asked about, whatever its speciality",
        arguments: [
            "Dietitian", "Clinical Nutritionist", "Psychologist", "Psychiatrist", "Optometrist", "Dermatologist",
            "Neurologist", "Obstetrician", "Gynecologist", "Oncologist", "Orthopedist", "Podiatrist", "Audiologist",
            "Phlebotomist", "Sonographer", "Internist", "أخصائي تغذية", "أخصائي نفسي", "أخصائي بصريات", "استشاري باطنة",
            "استشاري جلدية", "استشاري قلب", "أخصائي نساء وولادة", "أخصائي سمع", "أخصائي أطفال", "مقدم رعاية",
            "RN", "R.N.", "LPN", "GP", "MD", "EMT", "E.M.T.", "Dr", "Dr.", "Senior RN", "Chiropractor", "Acupuncturist",
            "Osteopath", "Care assistant", "Home care worker", "Hijama specialist", "حجامة", "الحجامة", "حجام", "د.",
        ])
    func specialities(job: String) {
        #expect(Market.assef.read(jobTitle: job) == .unknownMedical)
    }

    @Test("I5: an unknown medical profession is told from other professions")
    func medical() {
        for job in ["Nurse assistant", "Midwife", "Radiology technician", "فني مختبر", "صيدلي", "طبيب أسنان", "مسعف"] {
            #expect(Market.assef.read(jobTitle: job) == .unknownMedical, "\(job)")
        }
        for job in [
            "Accountant", "محاسب", "Software engineer", "مهندس", "Customer care agent", "Driver", "Ermine breeder", "",
            nil,
        ] {
            #expect(Market.assef.read(jobTitle: job) == .other, "\(job ?? "")")
        }
    }
}
