import Locks

/// What a process keeps beside a pool about its database: one object of a type.
///
/// Only for hints. A new connection may lead to another server, or to one that was set back, and nothing is forgotten
/// then: whoever uses a hint lets the database say whether it is right.
final class PoolMemory: Sendable {
    private let objects = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    func object<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
        objects.withLock { objects in
            if let known = objects[ObjectIdentifier(type)] as? Object { return known }
            let made = make()
            objects[ObjectIdentifier(type)] = made
            return made
        }
    }
}
