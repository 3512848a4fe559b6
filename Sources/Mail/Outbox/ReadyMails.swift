internal import Platform

/// Which mails share a fate: those of one project to one domain.
struct MailRoute: Hashable, Sendable {
    let project: String
    /// The recipient's domain; nil for all of the project.
    let domain: String?
}

/// Composed mails that wait for a lane: a queue for each route, which take turns, so that a burst to one domain does not keep the others.
struct ReadyMails {
    struct Mail {
        let message: OutgoingMessage
        let leaseEnd: UnixTime
    }

    private struct Queue {
        var mails: [Mail] = []
        var head = 0

        var count: Int { mails.count - head }

        mutating func popFirst() -> Mail {
            defer {
                head += 1
                if head >= 128 {
                    mails.removeFirst(head)
                    head = 0
                }
            }
            return mails[head]
        }
    }

    private var queues: [MailRoute: Queue] = [:]
    /// The routes that have mails, in the order of their turns.
    private var turns: [MailRoute] = []
    private var turn = 0
    private(set) var count = 0

    mutating func append(_ mail: Mail, to route: MailRoute) {
        if queues[route] == nil { turns.append(route) }
        queues[route, default: Queue()].mails.append(mail)
        count += 1
    }

    /// The oldest mail of the next route that may have one; nil when none may.
    mutating func next(where mayGo: (MailRoute) -> Bool) -> Mail? {
        for _ in turns {
            if turn >= turns.count { turn = 0 }
            let route = turns[turn]
            guard mayGo(route) else {
                turn += 1
                continue
            }
            guard let mail = queues[route]?.popFirst() else { preconditionFailure("a route has its turn only while it has mails") }
            count -= 1
            if queues[route]?.count == 0 {
                queues[route] = nil
                turns.remove(at: turn)
            } else {
                turn += 1
            }
            return mail
        }
        return nil
    }

    func count(of route: MailRoute) -> Int { queues[route]?.count ?? 0 }

    /// How many mails may go.
    func count(where mayGo: (MailRoute) -> Bool) -> Int {
        queues.reduce(0) { mayGo($1.key) ? $0 + $1.value.count : $0 }
    }

    /// Takes out the mails of some routes, or of all; gives their numbers.
    mutating func remove(where goes: (MailRoute) -> Bool = { _ in true }) -> [Int64] {
        var ids: [Int64] = []
        for route in turns where goes(route) {
            guard let queue = queues.removeValue(forKey: route) else { continue }
            ids += queue.mails[queue.head...].map(\.message.entryID)
            count -= queue.count
        }
        turns.removeAll { queues[$0] == nil }
        turn = 0
        return ids
    }
}
