import Glibc
import Platform

/// A mail server on a loopback port whose every word a test has written: one closure a connection.
///
/// Each line that it receives goes into the log as `<connection> <line>`, a whole message as `<connection> content <subject>`, the end of a
/// connection as `<connection> closed`. A client that says something else than the script expects shows as `<connection> problem …`.
@safe final class ScriptedServer: Sendable {
    typealias Script = @Sendable (Peer) throws -> Void

    let port: UInt16
    private let listener: Int32
    private let acceptor: SystemThread

    /// Listens; connections beyond the scripts are closed at once and logged.
    init(_ log: EventLog, _ scripts: [Script]) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard unsafe bind(listener, generic, size) == 0, listen(listener, 16) == 0 else { return false }
                return unsafe getsockname(listener, generic, &length) == 0
            }
        }
        guard bound else { throw Peer.Problem(what: "cannot listen: error \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        acceptor = SystemThread(name: "scripted-smtp") {
            var index = 0
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                let number = index
                index += 1
                _ = SystemThread(name: "scripted-\(number)") {
                    let peer = Peer(descriptor, "\(number)", log)
                    do {
                        if number < scripts.count { try scripts[number](peer) } else { log.add("\(number) problem: not scripted") }
                    } catch {
                        log.add("\(number) problem: \(error)")
                    }
                    peer.close()
                }
            }
        }
    }

    deinit {
        // Closed only when nobody accepts on it any more, since its number may at once belong to another test's socket.
        shutdown(listener, Int32(SHUT_RDWR))
        acceptor.join()
        close(listener)
    }

    /// The server's side of one connection.
    final class Peer {
        struct Problem: Error, CustomStringConvertible {
            var what: String
            var description: String { what }
        }

        private let descriptor: Int32
        private let name: String
        private let log: EventLog
        private var buffer: [UInt8] = []
        private var isClosed = false

        init(_ descriptor: Int32, _ name: String, _ log: EventLog) {
            self.descriptor = descriptor
            self.name = name
            self.log = log
            // A test that goes wrong must end.
            var limit = timeval(tv_sec: 5, tv_usec: 0)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            // A second line must not wait until the client has acknowledged the first.
            var yes: Int32 = 1
            _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }

        /// Greeting and EHLO, which libcurl speaks.
        func greet(_ capabilities: [String] = ["PIPELINING", "SIZE 10000000"]) throws {
            say("220 scripted.example ready")
            guard try readLine().hasPrefix("EHLO ") else { throw Problem(what: "no EHLO") }
            let lines = ["scripted.example"] + capabilities
            for line in lines.dropLast() { say("250-\(line)") }
            say("250 \(lines.last ?? "")")
        }

        func say(_ line: String) { send(line + "\r\n") }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }

        /// The next line must begin so.
        func expect(_ prefix: String) throws {
            let line = try readLine()
            log.add("\(name) \(line)")
            guard line.hasPrefix(prefix) else { throw Problem(what: "got \(line), expected \(prefix)") }
        }

        /// MAIL, RCPT and DATA, in one group.
        func expectEnvelope(to recipient: String = "ann") throws {
            try expect("MAIL FROM:<noreply@example.com>")
            try expect("RCPT TO:<\(recipient)@example.org>")
            try expect("DATA")
        }

        /// Reads a message to its dot and gives it as it came, without the dot.
        @discardableResult func expectContent() throws -> String {
            var text = ""
            while true {
                let line = try readLine()
                if text.isEmpty { log.add("\(name) content \(line)") }
                if line == "." { return text }
                text += line + "\r\n"
            }
        }

        /// The client must have nothing more to say before it hangs up.
        func expectEnd() throws {
            let more = try? readLine()
            guard let more else { return }
            throw Problem(what: "got \(more), expected the end")
        }

        func expectQuit() throws {
            try expect("QUIT")
            say("221 bye")
        }

        /// Whether nothing arrives for a while.
        func isSilent(for milliseconds: Int32) -> Bool {
            guard buffer.isEmpty else { return false }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&entry, 1, milliseconds) == 0
        }

        func note(_ what: String) { log.add("\(name) \(what)") }

        func wait(_ milliseconds: UInt32) { usleep(milliseconds * 1000) }

        /// Closes with what was not read thrown away, so that the client sees a reset.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            close()
        }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            Glibc.close(descriptor)
            log.add("\(name) closed")
        }

        private func readLine() throws -> String {
            while true {
                if let end = buffer.firstIndex(of: 0x0A) {
                    var line = buffer[..<end]
                    guard line.popLast() == 0x0D else { throw Problem(what: "a bare line feed") }
                    defer { buffer.removeFirst(end + 1) }
                    return String(decoding: line, as: UTF8.self)
                }
                var chunk = [UInt8](repeating: 0, count: 4096)
                let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
                guard count > 0 else { throw Problem(what: count == 0 ? "the client has closed" : "no more came: error \(errno)") }
                buffer.append(contentsOf: chunk.prefix(count))
            }
        }
    }
}
