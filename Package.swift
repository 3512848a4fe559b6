// swift-tools-version: 6.2
import PackageDescription

// The strict settings, once, for every target. Warnings are errors: a warning nobody reads is a defect nobody fixes.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// One C library, from Debian, wrapped by exactly one Swift target.
func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], fixtures: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], resources: fixtures.map { .copy($0) },
        swiftSettings: strict)
}

let package = Package(
    name: "postern",
    products: [.executable(name: "postern", targets: ["postern"])],
    targets: [
        // C libraries
        library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        library("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CIDN2", pkgConfig: "libidn2", apt: "libidn2-dev"),
        library("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),

        // L0
        target("Platform"),
        // L1
        target("Crypto", ["COpenSSL"]),
        target("Templating", ["Platform"]),
        target("HTTP", ["CMicroHTTPD", "Platform"]),
        target("Mail", ["CIDN2", "Platform"]),
        target("QRCodes", ["CQREncode"]),
        // L2
        target("Accounts", ["Crypto", "Mail", "Platform"]),
        target("ActionCodes", ["Accounts", "Crypto", "Mail", "Platform", "Templating"]),
        target("Associations", ["Platform"]),
        target("SMTP", ["CCurl", "Mail", "Platform"]),
        // L3
        target(
            "Routes",
            ["Accounts", "ActionCodes", "Associations", "Crypto", "HTTP", "Mail", "Platform", "QRCodes", "Templating"]),
        target("SQLiteStorage", ["Accounts", "ActionCodes", "CSQLite", "Mail", "Platform"]),
        // L4
        .executableTarget(
            name: "postern",
            dependencies: [
                "Accounts", "ActionCodes", "Associations", "Crypto", "HTTP", "Mail", "Platform", "Routes",
                "SMTP", "SQLiteStorage", "Templating",
            ],
            swiftSettings: strict),

        // Tests, one target a source target
        .target(
            name: "TestSupport",
            dependencies: ["Accounts", "ActionCodes", "Crypto", "Mail", "Platform"],
            path: "Tests/TestSupport", swiftSettings: strict),
        tests("PlatformTests", ["Platform"]),
        tests("CryptoTests", ["Crypto"]),
        tests("TemplatingTests", ["Platform", "Templating"]),
        tests("HTTPTests", ["HTTP", "Platform"]),
        tests("MailTests", ["Crypto", "Mail", "Platform"], fixtures: ["Fixtures"]),
        tests("QRCodesTests", ["QRCodes"]),
        tests("AccountsTests", ["Accounts", "Crypto", "Mail", "Platform"]),
        tests("ActionCodesTests", ["Accounts", "ActionCodes", "Crypto", "Mail", "Platform", "Templating"], fixtures: ["Fixtures"]),
        tests("AssociationsTests", ["Associations"], fixtures: ["Fixtures"]),
        tests("SMTPTests", ["Mail", "Platform", "SMTP"]),
        tests("StorageTests", ["Accounts", "ActionCodes", "Mail", "Platform", "SQLiteStorage"]),
        tests(
            "RoutesTests", ["Accounts", "ActionCodes", "Associations", "Crypto", "HTTP", "Mail", "Platform", "Routes", "Templating"],
            fixtures: ["Fixtures"]),
        tests("PosternTests", ["postern", "ActionCodes", "Crypto", "Mail", "Platform"], fixtures: ["Fixtures"]),
    ]
)
