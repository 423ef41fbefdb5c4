import Contracts
import Foundation
import Phones
import TestKit
import Testing

extension MealFlowTests {
    @Test(
        "C5, O9: use cases 11, 17 and 18: the menu changes while a cart is made; cancelled; closed, nothing is ordered")
    func menu() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        // North of the suite's other restaurants, and nobody drives there.
        let place = Coordinate(latitude: -31.7500, longitude: 115.8000)
        let home = Coordinate(latitude: -31.7400, longitude: 115.8000)
        let kitchen = try await town.restaurant("Jaffa", at: place)
        let customer = try await town.rider("Mira")
        let soup = try #require(kitchen.menu.first)
        let bread = try #require(kitchen.menu.last)
        let hummus = try await town.add("Hummus", for: 900, ingredients: "Chickpeas, sesame", to: kitchen)
        try await town.change(soup, to: 1_300, of: kitchen)
        try await town.remove(bread, of: kitchen)

        // The cart was made of the menu before.
        let changed = try await refuses(409) { try await town.meal(customer, of: kitchen, to: home) }
        #expect(changed?.slug == "menu-changed")
        let shown = try await town.kitchen(kitchen, shownTo: customer)
        #expect(shown.menu.map(\.item) == [soup.item, hummus.item] && shown.menu.map(\.price) == [1_300, 900])
        #expect(shown.menu.last?.ingredients == "Chickpeas, sesame")

        // Two soups and a hummus.
        let meal = try await town.meal(customer, of: shown, to: home)
        try await customer.pay(meal.id)
        let asked = try await kitchen.owner.sees(meal.id, .requested)
        #expect(asked.snapshot.total.amount == 3_500)
        #expect(try await customer.phone.cancellation(of: meal.id).isFree)
        #expect(try await customer.phone.act("cancel", on: meal.id).state == .cancelled)
        try await kitchen.owner.sees(meal.id, .cancelled)
        try await customer.has(10_000, in: "AUD")

        // Not any more when it is being cooked.
        let cooked = try await town.meal(customer, of: shown, to: home)
        try await customer.pay(cooked.id)
        try await kitchen.owner.sees(cooked.id, .requested)
        try await town.prepare(cooked.id, kitchen)
        try await refuses(409, state: "preparing") { try await customer.phone.act("cancel", on: cooked.id) }
        try await kitchen.owner.phone.act("decline", on: cooked.id, ["reason": "The oven is broken"])
        let told = try await customer.sees(cooked.id, .refused)
        #expect(told.snapshot.reason == "The oven is broken")
        try await customer.has(10_000, in: "AUD")

        #expect(try await town.restaurants(customer, near: home) == [kitchen.id])
        try await town.setOpen(false, kitchen)
        #expect(try await town.restaurants(customer, near: home).isEmpty)
        let closed = try await refuses(409) { try await town.meal(customer, of: shown, to: home) }
        #expect(closed?.slug == "restaurant-closed")
        for item in shown.menu { try await town.remove(item, of: kitchen) }
        let empty = try await refuses(409) { try await town.setOpen(true, kitchen) }
        #expect(empty?.slug == "empty-menu")
        try await customer.has(10_000, in: "AUD")
        try await desk.settled("AUD")
    }
}
