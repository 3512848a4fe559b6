internal import Glibc

/// A first-in first-out queue between any number of producers and the threads that block on it.
///
/// Swift's `Mutex` has no condition to wait on, hence the POSIX pair. `@unchecked Sendable` because: (1) `items` and the other fields are
/// touched only between `lock` and `unlock`; (2) the two POSIX objects live at fixed addresses of their own from `init` to `deinit`;
/// (3) nothing else holds those pointers.
@safe public final class WorkQueue<Element: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let filled: UnsafeMutablePointer<pthread_cond_t>
    private var items: [Element] = []
    private var waiting = 0
    private var closed = false

    /// Makes an empty queue.
    public init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe filled = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(filled, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(filled)
        unsafe pthread_mutex_destroy(mutex)
        unsafe filled.deallocate()
        unsafe mutex.deallocate()
    }

    /// Adds an element and wakes one waiting thread. Returns false, and keeps nothing, once the queue is closed.
    @discardableResult
    public func put(_ element: Element) -> Bool {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        guard !closed else { return false }
        items.append(element)
        // A signal is a system call; nobody needs one while every thread is busy and will look here by itself.
        if waiting > 0 { unsafe pthread_cond_signal(filled) }
        return true
    }

    /// Waits until there is something, then takes the oldest `limit` elements at once. Empty only when the queue is closed and drained.
    public func take(upTo limit: Int) -> [Element] {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while items.isEmpty && !closed {
            waiting += 1
            unsafe pthread_cond_wait(filled, mutex)
            waiting -= 1
        }
        if items.count <= limit {
            let taken = items
            items = []
            items.reserveCapacity(taken.count)
            return taken
        }
        let taken = Array(items.prefix(limit))
        items.removeFirst(limit)
        return taken
    }

    /// How many elements wait now.
    public var count: Int {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return items.count
    }

    /// Refuses further elements; what is in the queue is still handed out.
    public func close() {
        unsafe pthread_mutex_lock(mutex)
        closed = true
        unsafe pthread_cond_broadcast(filled)
        unsafe pthread_mutex_unlock(mutex)
    }
}
