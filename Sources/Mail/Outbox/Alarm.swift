/// A timer that is set to the earliest of the times it is asked for, and left alone when it is early enough already.
struct Alarm {
    private let time: ContinuousClock.Instant
    private let task: Task<Void, Never>

    /// Sees to it that `alarm` rings at `time` or before. It rings once; `ring` forgets it, and sets it again if need be.
    static func set(_ alarm: inout Alarm?, for time: ContinuousClock.Instant, ring: @escaping @Sendable () -> Void) {
        if let alarm, alarm.time <= time { return }
        alarm?.task.cancel()
        let task = Task {
            try? await Task.sleep(until: time, clock: .continuous)
            if !Task.isCancelled { ring() }
        }
        alarm = Alarm(time: time, task: task)
    }

    func cancel() { task.cancel() }
}
