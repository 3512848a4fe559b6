import HTTP
import Mail
import Platform

@testable import Routes

/// Mails and addresses that the tests of the inbox share.
enum Samples {
    static let time = UnixTime(milliseconds: 1_764_541_676_000)

    static func envelope(to recipient: String = "ann@example.org") throws -> Envelope {
        Envelope(sender: try EmailAddress("noreply@example.com"), recipient: try EmailAddress(recipient))
    }

    /// With CRLF line ends, as on the wire.
    static func message(_ text: String) -> [UInt8] {
        Array(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8)
    }

    /// As Python's email.message writes it (policy SMTP).
    static let alternative = message(
        """
        From: =?utf-8?q?J=C3=BCrgen_=C3=9Cnal?= <noreply@example.com>
        To: ann@example.com
        Subject: Anmelden bei =?utf-8?b?U2Now7ZuZSBHcsO8w59lLA==?= einer App mit einem
         ziemlich langen Namen =?utf-8?b?4oCT?= heute noch
        MIME-Version: 1.0
        Content-Type: multipart/alternative; boundary="===============1=="

        --===============1==
        Content-Type: text/plain; charset="utf-8"
        Content-Transfer-Encoding: 8bit

        Grüß dich,

        https://x.example/__/auth/action?apiKey=k&oobCode=AbC-_1

        Euro €

        --===============1==
        Content-Type: text/html; charset="utf-8"
        Content-Transfer-Encoding: 8bit
        MIME-Version: 1.0

        <p>Grüß <b>dich</b></p>

        --===============1==--

        """)

    /// From the same writer: base64, and a subject of two encoded words.
    static let base64 = message(
        """
        Subject: =?utf-8?b?5pel5pys6Kqe44Gu5Lu25ZCN44CB44Go44Gm44KC6ZW344GE44Gu44Gn?=
         =?utf-8?b?44GE44GP44Gk44GL44Gu6Kqe44Gr5YiG44GR44KJ44KM44G+44GZ?=
        Content-Type: text/plain; charset="utf-8"
        Content-Transfer-Encoding: base64
        MIME-Version: 1.0

        5pel5pys6Kqe44Gu5pys5paHCg==

        """)

    /// From the same writer: Latin-1 in quoted-printable, and an attachment that is text too.
    static let latin1 = message(
        """
        Subject: =?utf-8?q?Caf=C3=A9?=
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary="BBB"

        --BBB
        Content-Type: text/plain; charset="iso-8859-1"
        Content-Transfer-Encoding: quoted-printable

        Caf=E9 und Stra=DFe

        --BBB
        Content-Type: text/plain
        Content-Transfer-Encoding: base64
        Content-Disposition: attachment; filename="a.txt"
        MIME-Version: 1.0

        aGVsbG8=

        --BBB--

        """)
}

extension HTTPResponse {
    /// What a client would read.
    var text: String {
        switch body {
        case .none: ""
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .static(let shared): "a shared body of \(shared.count) bytes"
        }
    }
}
