import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

extension Market.Onboarding {
    /// What rides and restaurants ask for, of the titles that there are: nurses are the drivers, doctors the restaurants.
    static let rides: Market.Onboarding = {
        let titles = ["driver": "nurse", "restaurant": "doctor"]
        func renamed(_ old: Set<String>) -> Set<String> { Set(old.map { titles[$0] ?? $0 }) }
        var onboarding = Market.Onboarding.btnc
        onboarding.billingAddressOf = []
        onboarding.providerAges = Dictionary(
            uniqueKeysWithValues: onboarding.providerAges.map { (titles[$0.key] ?? $0.key, $0.value) })
        onboarding.details = onboarding.details.map {
            Detail($0.id, $0.name, $0.kind, titles: renamed($0.titles), isRequired: $0.isRequired)
        }
        onboarding.papers = onboarding.papers.map {
            Paper($0.id, $0.name, titles: renamed($0.titles), isRequired: $0.isRequired)
        }
        return onboarding
    }()
}

extension Person {
    /// With what a market of rides asks of a driver.
    static var driverDetails: JSONValue {
        [
            "licenceNumber": "WA 1234567", "licenceSince": "2015-03-01", "vehicleMaker": "Toyota",
            "vehicleModel": "Camry", "vehicleYear": 2021, "vehicleColour": "white", "vehiclePlate": "1ABC 234",
            "vehicleClass": "regular",
        ]
    }

    func with(_ more: [String: JSONValue]) -> JSONValue {
        guard case .object(let members) = json else { return json }
        return .object(members.merging(more) { $1 })
    }

    var asDriver: JSONValue {
        with(["terms": "2026-01", "birthDate": "1990-05-17", "details": Self.driverDetails])
    }
}

@Suite("What a role is taken with", .timeLimit(.minutes(15)))
struct IntakeTests {
    /// 12 March 2026 in Riyadh.
    private static var clock: FixedClock { FixedClock(Date(timeIntervalSince1970: 1_773_300_000)) }

    @Test("I1, I7: all that is missing of a driver's registration is named together, and so is all that is wrong")
    func together() async throws {
        try await World.run(onboarding: .rides, clock: Self.clock) { world async throws in
            let person = Person.provider()
            let missing = try await world.post("accounts", person.with(["terms": .null]))
            let details = [
                "licenceNumber", "licenceSince", "vehicleMaker", "vehicleModel", "vehicleYear", "vehiclePlate",
                "vehicleColour", "vehicleClass",
            ]
            var expected = Dictionary(uniqueKeysWithValues: details.map { ("/details/\($0)", "required") })
            expected["/terms"] = "required"
            expected["/birthDate"] = "required"
            #expect(missing.status == 422)
            #expect(missing.fields == expected)
            let wrong = try await world.post(
                "accounts",
                person.with([
                    "email": "x", "terms": "2019-01", "birthDate": "2006-03-13", "address": ["label": "home"],
                    "details": [
                        "licenceNumber": "a\u{7}b", "licenceSince": "2022-03-13", "vehicleMaker": 5,
                        "vehicleModel": "x", "vehicleYear": 1899, "vehiclePlate": "\u{0}", "vehicleColour": "beige-ish",
                        "vehicleClass": "tank",
                    ],
                ]))
            #expect(
                wrong.fields == [
                    "/email": "not-an-email", "/terms": "terms-version", "/birthDate": "too-young",
                    "/address/name": "required", "/address/coordinates": "required",
                    "/details/licenceNumber": "control-characters", "/details/licenceSince": "held-too-short",
                    "/details/vehicleMaker": "not-a-text", "/details/vehicleYear": "out-of-range",
                    "/details/vehiclePlate": "control-characters", "/details/vehicleColour": "not-a-choice",
                    "/details/vehicleClass": "not-a-choice",
                ])
            #expect(try await world.events(AccountRegistered.self).isEmpty)
            #expect(try await world.post("accounts", person.asDriver).status == 201)
        }
    }

    @Test(
        "I1: riders are 13 and over, under 16 with an adult; drivers are 20 and over, their licence held for 4 years",
        arguments: [
            ("2013-03-13", false, "too-young"), ("2013-03-12", false, "adult"), ("2013-03-12", true, nil),
            ("2010-03-13", false, "adult"), ("2010-03-12", false, nil), ("1950-01-01", false, nil),
        ] as [(String, Bool, String?)])
    func ages(born: String, hasAdult: Bool, fault: String?) async throws {
        try await World.run(onboarding: .rides, clock: Self.clock) { world async throws in
            var more: [String: JSONValue] = ["terms": "2026-01", "birthDate": .string(born)]
            if hasAdult { more["accompaniedBy"] = "Sara Al-Harbi" }
            let answer = try await world.post("accounts", Person().with(more))
            switch fault {
            case "too-young": #expect(answer.fields == ["/birthDate": "too-young"])
            case "adult": #expect(answer.fields == ["/accompaniedBy": "required"])
            default: #expect(answer.status == 201)
            }
        }
        try await World.run(onboarding: .rides, clock: Self.clock) { world async throws in
            let driver = Person.provider().with([
                "terms": "2026-01", "birthDate": "2006-03-12", "details": Person.driverDetails,
            ])
            #expect(try await world.post("accounts", driver).status == 201)
        }
    }

    @Test("B3, I7, O8: others are told the class of a driver's car, its plate, make and colour, and nothing else")
    func vehicle() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let driver = Person.provider()
            #expect(try await world.post("accounts", driver.asDriver).status == 201)
            let tokens = try await world.logIn(driver)
            // Whatever changes the account tells of it as it is.
            _ = try await world.send("PATCH", "v1/accounts/me", ["language": "en"], token: tokens.access)
            let changed = try #require(try await world.events(AccountChanged.self).last)
            #expect(changed.account.roles.map(\.vehicle) == ["regular"])
            let car = AccountSnapshot.Car(plate: "1ABC 234", maker: "Toyota", model: "Camry", colour: "white")
            #expect(changed.account.roles.map(\.car) == [car])
            #expect(!"\(changed)".contains("WA 1234567"))
        }
    }

    @Test("I7, P12: another class of vehicle is told with the change itself, as whatever tells the account again")
    func otherVehicle() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let driver = Person.provider()
            #expect(try await world.post("accounts", driver.asDriver).status == 201)
            #expect(try await world.events(AccountRegistered.self).last?.account.roles.map(\.vehicle) == ["regular"])
            let tokens = try await world.logIn(driver)
            guard case .object(var details) = Person.driverDetails else { return }
            details["vehicleClass"] = "xl"
            let changed = try await world.send(
                "PUT", "v1/accounts/me/providers/assef/details", ["details": .object(details)], token: tokens.access)
            #expect(changed.status == 200, "\(changed)")
            let told = try #require(try await world.events(AccountChanged.self).last?.account)
            #expect(told.roles.map(\.vehicle) == ["xl"])
            let account = try await world.pool.withTransaction { try await Accounts.lock(tokens.account, in: $0) }
            #expect(AccountSnapshot(account, at: world.clock.now) == told)
        }
    }

    @Test("X8, I1: nobody registers in any role without accepting the terms", arguments: [Person(), .provider()])
    func terms(person: Person) async throws {
        try await World.run(onboarding: .rides, clock: Self.clock) { world async throws in
            let without = try await world.post("accounts", person.with(["birthDate": "1990-05-17", "terms": .null]))
            #expect(without.status == 422)
            #expect(without.fields["/terms"] == "required")
        }
    }

    @Test("P1, I1: another role asks for its own details and terms, and not again for the date of birth")
    func anotherRole() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let rider = Person()
            let registered = try await world.post(
                "accounts", rider.with(["terms": "2026-01", "birthDate": "1990-05-17"]))
            #expect(registered.status == 201)
            let tokens = try await world.logIn(rider)
            let role: [String: JSONValue] = ["market": "assef", "role": "provider", "title": "doctor"]
            for nobody in [".", "😀"] {
                let details: JSONValue = ["contactPerson": .string(nobody)]
                let answer = try await world.post(
                    "accounts/me/roles", .object(role.merging(["details": details]) { $1 }), token: tokens.access)
                #expect(answer.fields["/details/contactPerson"] == "name-characters")
            }
            let missing = try await world.post("accounts/me/roles", .object(role), token: tokens.access)
            #expect(
                Set(missing.fields.keys) == [
                    "/terms", "/details/businessNumber", "/details/contactPerson", "/details/contactMobile",
                    "/details/contactEmail", "/details/businessAddress",
                ])
            let details: JSONValue = [
                "businessNumber": "51 824 753 556", "contactPerson": "Sara", "contactMobile": "+61 400 000 000",
                "contactEmail": "Sara@Hay.example", "businessAddress": "1 Hay Street, Perth",
            ]
            let whole = role.merging(["terms": "2026-01", "details": details]) { $1 }
            #expect(try await world.post("accounts/me/roles", .object(whole), token: tokens.access).status == 201)
            let papers = try await world.send("GET", "v1/accounts/me/providers/assef", token: tokens.access)
            #expect(papers.json?["details"]?["contactMobile"] == "+61400000000")
            #expect(
                papers.json?["missing"] == .array(["business-registration", "health-certificate", "food-licence"]))
            // Another date of birth must do for every role.
            let young = try await world.send(
                "PATCH", "v1/accounts/me", ["birthDate": "2011-01-01"], token: tokens.access)
            #expect(young.fields == ["/birthDate": "adult-needed"])
        }
    }

    @Test("I1: an address that is given with the registration is the first saved place, inside the service area")
    func address() async throws {
        try await World.run { world async throws in
            let person = Person()
            func address(_ latitude: Double) -> JSONValue {
                person.with([
                    "address": [
                        "label": "home", "name": "Home", "address": "12 King Fahd Road",
                        "coordinates": ["latitude": .number(latitude), "longitude": 46.7],
                    ]
                ])
            }
            let outside = try await world.post("accounts", address(51.5))
            #expect(outside.fields == ["/address/coordinates": "outside-service-area"])
            #expect(try await world.post("accounts", address(24.7)).status == 201)
            let tokens = try await world.logIn(person)
            let list = try await world.send("GET", "v1/accounts/me/places?market=assef", token: tokens.access)
            #expect(list.items.map { $0["address"] } == ["12 King Fahd Road"])
        }
    }
}
