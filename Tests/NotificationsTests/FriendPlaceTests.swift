import Contracts
import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Places of friends on the stream", .timeLimit(.minutes(15)))
struct FriendPlaceTests {
    private static func places(
        _ account: UUID, latitude: Double?, at: Date, to friends: [UUID]
    ) -> FriendPlaces {
        FriendPlaces(places: [
            .init(
                account: account, place: latitude.map { Coordinate(latitude: $0, longitude: 39.8) }, at: at,
                expiresAt: latitude.map { _ in at.addingTimeInterval(900) }, friends: friends)
        ])
    }

    @Test("H5, N3: friends see each other move on every process, strangers do not; the newest wins, and an end is told")
    func friends() async throws {
        try await World.run { world in
            try await world.withProcess { first in
                try await world.withProcess { second in
                    let (owner, near, far) = (UUID.timeOrdered(), UUID.timeOrdered(), UUID.timeOrdered())
                    let streams = [try await first.stream(near), try await second.stream(far)]
                    let stranger = try await first.stream(.timeOrdered())
                    let own = try await second.stream(owner)
                    let now = Date()
                    // The queues of the processes may not be bound yet.
                    try await eventually("both friends have seen one") {
                        try await world.publish(Self.places(owner, latitude: 21.4, at: now, to: [near, far]))
                        return streams.allSatisfy { !$0.events("friend-place").isEmpty }
                    }
                    try await world.publish(Self.places(owner, latitude: 1, at: now - 5, to: [near, far]))
                    try await world.publish(Self.places(owner, latitude: nil, at: now + 5, to: [near, far]))
                    for stream in streams {
                        try await eventually("the end has come") {
                            stream.events("friend-place").last?.json["latitude"] == nil
                        }
                        let seen = Set(stream.events("friend-place").compactMap { $0.json["latitude"] as? Double })
                        #expect(seen == [21.4])
                        #expect(stream.events("friend-place").allSatisfy { $0.id == nil })
                        #expect(stream.events("friend-place").allSatisfy { $0.text("account") == owner.text })
                        #expect(stream.events("friend-place").first?.json["expiresAt"] != nil)
                    }
                    #expect(stranger.events("friend-place").isEmpty && own.events("friend-place").isEmpty)
                }
            }
        }
    }

    @Test("H5: a reader who is slow has the newest place of each friend, and of so many friends as one may have")
    func bounded() {
        var places = LatestPositions(limit: LatestPositions.friendLimit)
        let now = Date(timeIntervalSince1970: 1_000)
        for index in 0..<500 {
            _ = places.put(order: .timeOrdered(), at: now.addingTimeInterval(Double(index)), text: "x")
        }
        #expect(places.take().count == LatestPositions.friendLimit)
    }
}
