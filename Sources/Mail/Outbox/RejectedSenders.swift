internal import Platform

/// The routes on which we are rejected as a sender: they rest until the operator has acted, but for one mail now and then that finds out.
///
/// A pure value; times and random numbers come in.
struct RejectedSenders {
    private struct Rest {
        var until: UnixTime
        var count = 1
        var isProbed = false
        let since: UnixTime
        var reply: String
    }

    private let schedule: RetrySchedule
    private var rests: [MailRoute: Rest] = [:]

    init(schedule: RetrySchedule) {
        self.schedule = schedule
    }

    var isEmpty: Bool { rests.isEmpty }

    /// For operators, in no particular order.
    var list: [RejectedSender] {
        rests.map {
            RejectedSender(projectID: $0.key.project, recipientDomain: $0.key.domain, since: $0.value.since, reply: $0.value.reply)
        }
    }

    /// When the next mail of a route may go; nil when it may go now.
    func rest(of route: MailRoute, now: UnixTime) -> UnixTime? {
        if rests.isEmpty { return nil }
        let ends = keys(of: route).compactMap { key in
            rests[key].flatMap { rest in
                // The probe will be back soon.
                rest.isProbed ? max(rest.until, now + .seconds(5)) : rest.until > now ? rest.until : nil
            }
        }
        return ends.max()
    }

    /// A mail of a route goes out.
    mutating func started(_ route: MailRoute) {
        if rests.isEmpty { return }
        for key in keys(of: route) { rests[key]?.isProbed = true }
    }

    /// It came back without an answer about the sender.
    mutating func probeLost(_ route: MailRoute) {
        if rests.isEmpty { return }
        for key in keys(of: route) { rests[key]?.isProbed = false }
    }

    /// The sender was taken. Gives the routes that rested because of it and go on.
    mutating func accepted(_ route: MailRoute) -> [MailRoute] {
        if rests.isEmpty { return [] }
        return keys(of: route).filter { rests.removeValue(forKey: $0) != nil }
    }

    /// The sender was rejected. Gives whether that is news.
    mutating func rejected(_ route: MailRoute, reply: String, now: UnixTime, random: Double) -> Bool {
        guard var rest = rests[route] else {
            let until = now + schedule.wait(after: 1, cause: .operatorMustAct, random: random)
            rests[route] = Rest(until: until, since: now, reply: reply)
            return true
        }
        if rest.isProbed || rest.until <= now {
            rest.count += 1
            rest.until = now + schedule.wait(after: rest.count, cause: .operatorMustAct, random: random)
            rest.isProbed = false
        }
        rest.reply = reply
        rests[route] = rest
        return false
    }

    private func keys(of route: MailRoute) -> [MailRoute] { [route, MailRoute(project: route.project, domain: nil)] }
}
