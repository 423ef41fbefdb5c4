import NIOCore
import NIOPosix

/// One thread for many phones: their connections are served on it, and tasks that prefer it run on it too. A request and
/// its answer then change threads no more, which is half of what they cost otherwise.
///
/// For programs that do nothing but play phones. Tests share the threads of all.
public final class PhoneThread: TaskExecutor {
    let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop

    /// Lives as long as the program.
    public init() {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
