import Locks

/// Objects that a process keeps beside a pool about its database, one of each type.
///
/// Only for hints. A new connection may lead to another server, or to one restored from a backup, and the objects stay:
/// the user of a hint must let the database check it.
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
