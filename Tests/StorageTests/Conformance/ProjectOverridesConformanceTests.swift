import ActionCodes
import TestSupport
import Testing

@Suite struct ProjectOverridesConformanceTests {
    private static let all = ProjectOverrides([
        .emailPrivacy: .flag(false), .emailSignIn: .flag(true), .passwordRequired: .flag(true), .signUpDisabled: .flag(false),
        .authorizedDomains: .texts(["example.com", "xn--bcher-kva.example"]), .defaultLocale: .text("pt-BR"),
    ])

    @Test func thisTableHasEverySetting() {
        #expect(Set(Self.all.values.keys) == Set(ProjectSetting.allCases))
    }

    @Test(arguments: StoreKind.allCases)
    func changesComeBackAsTheyWere(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            #expect(try await store.projectOverrides().isEmpty)
            try await store.saveProjectOverrides(Self.all, project: "one")
            try await store.saveProjectOverrides(ProjectOverrides([.authorizedDomains: .texts([])]), project: "two")
            #expect(
                try await store.projectOverrides() == [
                    "one": Self.all, "two": ProjectOverrides([.authorizedDomains: .texts([])]),
                ])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func changesTakeThePlaceOfEarlierOnes(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.saveProjectOverrides(Self.all, project: "one")
            let fewer = Self.all.changed(by: [(.emailPrivacy, nil), (.emailSignIn, .flag(false))])
            try await store.saveProjectOverrides(fewer, project: "one")
            #expect(try await store.projectOverrides() == ["one": fewer])
            #expect(fewer.values[.emailPrivacy] == nil)
            try await store.saveProjectOverrides(ProjectOverrides(), project: "one")
            #expect(try await store.projectOverrides().isEmpty)
        }
    }
}
