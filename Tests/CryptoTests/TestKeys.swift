/// Keys made with the `openssl` command for these tests; they protect nothing.
enum TestKeys {
    /// RSA-2048, PKCS#8.
    static let rsaPKCS8 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQD7p8HsDVQdMt3v
        Y2vEEEZHo6GLCtQt+gT3XfpQAd/a9BdtecocqI4pNvB+8JoWGOgq6n8ZGquukZU+
        VFCeA02Dbtx27binl84KtVqkNQVOTa2fZoFSe0Xb5cKB7k/p2AjirK02OMUozRY/
        6A5ktMWa3EqTLxO/JNVLSgjrFX3W5T58aauFnHXPz+/BZtFh82KCB9yc1OYxFDQA
        cr7XGon8+jzoaLob6ZTYbqphdTUB6iyenrxuZEWbcyO/7x5xhyx3hqH2+mnK0W99
        IzGb3jCVGxcnMUqD5ZP3dzabWEgfJv0f7V12Ux9Ia8ipQR0UMdEKlKQZnVz5sMSe
        1wVCWXmzAgMBAAECggEABf2ynMQ23WvjME2SOJx+kwc7oEv4synn/MLMlvA3r3m7
        v3J0mlJ08Yw9e3goFiCWEZEVlFGebRoWjuGClDbV6iwbrLhW4T6FVc66QrCBPztg
        LixKWRFWn2tZdXub6wammrOrrl/GadGmfVnKUrsIluA2fxYe06BOQTjML44kBpdq
        Dv+5bjClAhlYnK5w7cQS6XxJA0tE+sbRH1d1qIV5lyI4RejaTgm2S9ACAZKIVaut
        MFUggLdQvqg3//R/yZ0Nw7B7Uv/WJfmxbVAkxfQtAPZsis018cnCdD1CTQpaMd7m
        fJq6FeXxt520vsb/a1PGVM2JpBmWqROCSTM/plI6iQKBgQD+F3YJtCMlPFiWZx/T
        tBYnxrkSOsYuLosq/90/wwluWKK4zMgazf2/fdxBCRc8HbeQbMBEBY17eWAoSkI3
        EaOIb4uAyGTlp8pMxxMjyjNaBOkhWKvUs4pbx44fyF7BfqLONXRufmD8lB7txQaF
        LbBj+Yy6OXC+qSqb5HnfvzH4PwKBgQD9i5yyZ5A4h+wfwWkFD8mgEzkdm8z5xCbu
        VFWJlS1YL8bT7cMs7LdvxFJiQpZM3ihcmGam+AN5tHDcQXLLqLwRYmpGteRh3+ln
        VD37jqHJrTNBcbEU+SFCS3UosVRKPcGnunW8S8lgC2QQAed4YFIYZ3UvRqee1DiO
        A5Z360SBjQKBgH5KrvK3xFg3nFh1PU5+ThzLGyXCbMp7e9SNhCyzBjcAezCbKEKa
        bCsHpbf1isToiFqSkyW8FMxwUaj07+BrNfsUZiRGdk/njBeJQywgzlFJ644VgqKf
        8n8Xur51WxOVm9oem5Zn3lDsVkscCNedE/U9DgNplW5Oqsz9TM43O+EFAoGBAMNv
        24B1bej1dOBhgKdDLSLzzmHxV4XrWir53NlpoQNKCJQRwRGfAiLoDKzrMNndoPUH
        EJGBuYQVv6030doEnbs0xkDtMjbzlwFsIT8ICdPgaxL2JQ7KnoVwjsWoMxXrFpxI
        kTpsnLQo85+XKCpU7NMc5Gplpw05/sIRJ+oV8r99AoGASmCc+fY0xwAfphJUoZJy
        rDDYZqm3bLqFAiPi8Co/hvvyKX6MOYWbiwXKMV+bYt95N3bVij9B3wMaHJm6Xt/q
        eVRonX76KYtOb1AXgeF3lZjgLh7LccV4X09uPJnABidjbJ1BcS5vjNpVh8yfUZmb
        ZRJcHwJicqnl2guzwPT43KM=
        -----END PRIVATE KEY-----

        """

    /// The same key, PKCS#1.
    static let rsaTraditional = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEowIBAAKCAQEA+6fB7A1UHTLd72NrxBBGR6OhiwrULfoE9136UAHf2vQXbXnK
        HKiOKTbwfvCaFhjoKup/GRqrrpGVPlRQngNNg27cdu24p5fOCrVapDUFTk2tn2aB
        UntF2+XCge5P6dgI4qytNjjFKM0WP+gOZLTFmtxKky8TvyTVS0oI6xV91uU+fGmr
        hZx1z8/vwWbRYfNiggfcnNTmMRQ0AHK+1xqJ/Po86Gi6G+mU2G6qYXU1Aeosnp68
        bmRFm3Mjv+8ecYcsd4ah9vppytFvfSMxm94wlRsXJzFKg+WT93c2m1hIHyb9H+1d
        dlMfSGvIqUEdFDHRCpSkGZ1c+bDEntcFQll5swIDAQABAoIBAAX9spzENt1r4zBN
        kjicfpMHO6BL+LMp5/zCzJbwN695u79ydJpSdPGMPXt4KBYglhGRFZRRnm0aFo7h
        gpQ21eosG6y4VuE+hVXOukKwgT87YC4sSlkRVp9rWXV7m+sGppqzq65fxmnRpn1Z
        ylK7CJbgNn8WHtOgTkE4zC+OJAaXag7/uW4wpQIZWJyucO3EEul8SQNLRPrG0R9X
        daiFeZciOEXo2k4JtkvQAgGSiFWrrTBVIIC3UL6oN//0f8mdDcOwe1L/1iX5sW1Q
        JMX0LQD2bIrNNfHJwnQ9Qk0KWjHe5nyauhXl8bedtL7G/2tTxlTNiaQZlqkTgkkz
        P6ZSOokCgYEA/hd2CbQjJTxYlmcf07QWJ8a5EjrGLi6LKv/dP8MJbliiuMzIGs39
        v33cQQkXPB23kGzARAWNe3lgKEpCNxGjiG+LgMhk5afKTMcTI8ozWgTpIVir1LOK
        W8eOH8hewX6izjV0bn5g/JQe7cUGhS2wY/mMujlwvqkqm+R5378x+D8CgYEA/Yuc
        smeQOIfsH8FpBQ/JoBM5HZvM+cQm7lRViZUtWC/G0+3DLOy3b8RSYkKWTN4oXJhm
        pvgDebRw3EFyy6i8EWJqRrXkYd/pZ1Q9+46hya0zQXGxFPkhQkt1KLFUSj3Bp7p1
        vEvJYAtkEAHneGBSGGd1L0anntQ4jgOWd+tEgY0CgYB+Sq7yt8RYN5xYdT1Ofk4c
        yxslwmzKe3vUjYQsswY3AHswmyhCmmwrB6W39YrE6IhakpMlvBTMcFGo9O/gazX7
        FGYkRnZP54wXiUMsIM5RSeuOFYKin/J/F7q+dVsTlZvaHpuWZ95Q7FZLHAjXnRP1
        PQ4DaZVuTqrM/UzONzvhBQKBgQDDb9uAdW3o9XTgYYCnQy0i885h8VeF61oq+dzZ
        aaEDSgiUEcERnwIi6Ays6zDZ3aD1BxCRgbmEFb+tN9HaBJ27NMZA7TI285cBbCE/
        CAnT4GsS9iUOyp6FcI7FqDMV6xacSJE6bJy0KPOflygqVOzTHORqZacNOf7CESfq
        FfK/fQKBgEpgnPn2NMcAH6YSVKGScqww2Gapt2y6hQIj4vAqP4b78il+jDmFm4sF
        yjFfm2LfeTd21Yo/Qd8DGhyZul7f6nlUaJ1++imLTm9QF4Hhd5WY4C4ey3HFeF9P
        bjyZwAYnY2ydQXEub4zaVYfMn1GZm2USXB8CYnKp5doLs8D0+Nyj
        -----END RSA PRIVATE KEY-----

        """

    /// P-256, PKCS#8.
    static let p256PKCS8 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgL3N+M88WmseXGyKy
        Y1o/9qfzSjBNZYMcqcE5KxfYBTuhRANCAASPE0qjpXPHICIfcYdcjcnq0gFnCp5F
        XoKLI1/dGSiPkwvqmKUCVYCGL9JKYZc4UTJ1uH468c5Xa3ZKPO/BRmNB
        -----END PRIVATE KEY-----

        """

    /// The same key, SEC 1, with the parameters block that `openssl ecparam` writes before it.
    static let p256Traditional = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIC9zfjPPFprHlxsismNaP/an80owTWWDHKnBOSsX2AU7oAoGCCqGSM49
        AwEHoUQDQgAEjxNKo6VzxyAiH3GHXI3J6tIBZwqeRV6CiyNf3Rkoj5ML6pilAlWA
        hi/SSmGXOFEydbh+OvHOV2t2SjzvwUZjQQ==
        -----END EC PRIVATE KEY-----

        """

    /// The same private half with another key's public half.
    static let p256Inconsistent = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIC9zfjPPFprHlxsismNaP/an80owTWWDHKnBOSsX2AU7oAoGCCqGSM49
        AwEHoUQDQgAEvTwuDSqMhFV/0a/cnXAskyIXP7kTEsecK+hnKyqK7bQAgYugI3gI
        DVdvijREqSKBQYzUat/BTJ0k11LHpuaUIg==
        -----END EC PRIVATE KEY-----

        """

    /// The same key under a passphrase, PKCS#8.
    static let p256Encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgFiP6J04KhOwICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELz2xdNh8rjqUByf0x2U9D0EgZC3
        0qSv07I4+WorQF3s1PsGlSF1C8l19HweWaKUi9Sa9I3zf7u4C3OPsUsAPej6BAtL
        kY/gvA8UshrCHnMeai67mfH4Ny00b4TcwD4XHoYOq7EuUfnRclSm5ZWnZUEyKbi8
        RUHGlmCjwc7D6QK63OJ+I2X5TfPkDKHHWqGu0nq+39zwk8OTCvF8mucP75Lg5Us=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    /// The same key under a passphrase, SEC 1.
    static let p256EncryptedTraditional = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,D3149D062FAADF588DDCBFFE12AA6E81

        ezG0HvLNG9yCJwOH02Ghcy7xZl+45Vvu66+LuVqt+UHdSMBQKeKe8mb5GbFNI776
        Pp9Bb2aAqzP7e9qINE8xWBpGOMfqZsOhzDTYienKne8beOTtRelX7e9rbwX9nVzb
        R1aNTL85DNOqksvFP5IRv4RXeKEK58dBYV4SQ1HYJz4=
        -----END EC PRIVATE KEY-----

        """

    /// The same key under the empty passphrase.
    static let p256EncryptedEmpty = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgXSmGeEtQ5FgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKLTPDOHrG81Xq1GZUzvHK0EgZB8
        RsmHQ3cvp7338VPIqilgqpSD3QDwzObi5hZ80iGnJDqqMYlsJbFg8cQw8LWu/QR7
        Qgx8H7AfBPIJKGMkbb8xtV6iDIDbSB9CYaMTBo/1VOZhtLqk7bzylDyIKyEYHMji
        Wc1IW3M+zpKwci4d5H0FyksgXqG8LjUSYpuVcOFF7uYa1fpHDtNyT4IL71BTQMY=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    /// The public half.
    static let p256Public = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjxNKo6VzxyAiH3GHXI3J6tIBZwqe
        RV6CiyNf3Rkoj5ML6pilAlWAhi/SSmGXOFEydbh+OvHOV2t2SjzvwUZjQQ==
        -----END PUBLIC KEY-----

        """

    /// The public half of the RSA key, PKCS#1.
    static let rsaPublicTraditional = """
        -----BEGIN RSA PUBLIC KEY-----
        MIIBCgKCAQEA+6fB7A1UHTLd72NrxBBGR6OhiwrULfoE9136UAHf2vQXbXnKHKiO
        KTbwfvCaFhjoKup/GRqrrpGVPlRQngNNg27cdu24p5fOCrVapDUFTk2tn2aBUntF
        2+XCge5P6dgI4qytNjjFKM0WP+gOZLTFmtxKky8TvyTVS0oI6xV91uU+fGmrhZx1
        z8/vwWbRYfNiggfcnNTmMRQ0AHK+1xqJ/Po86Gi6G+mU2G6qYXU1Aeosnp68bmRF
        m3Mjv+8ecYcsd4ah9vppytFvfSMxm94wlRsXJzFKg+WT93c2m1hIHyb9H+1ddlMf
        SGvIqUEdFDHRCpSkGZ1c+bDEntcFQll5swIDAQAB
        -----END RSA PUBLIC KEY-----

        """

    /// A certificate for the P-256 key.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBbTCCAROgAwIBAgIUaHdMQRu8YtMfCol8k4jxjsIHbFwwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBeDAeFw0yNjExMzAyMjQxMzNaFw0yNjEyMDEyMjQxMzNaMAwx
        CjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASPE0qjpXPHICIf
        cYdcjcnq0gFnCp5FXoKLI1/dGSiPkwvqmKUCVYCGL9JKYZc4UTJ1uH468c5Xa3ZK
        PO/BRmNBo1MwUTAdBgNVHQ4EFgQU1gE5sc8AR3Vn38gWvccFKjMCGQkwHwYDVR0j
        BBgwFoAU1gE5sc8AR3Vn38gWvccFKjMCGQkwDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNIADBFAiEA8vPMqY8A7Qo0ZfBTBzuAiFKNaejxyTq8xscJAadDIXQC
        IDRnugqUOh6YQUosIh3JQJLeyYzi003GaT5BE+gVsSMx
        -----END CERTIFICATE-----

        """

    /// A curve and no key.
    static let parameters = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----

        """

    /// Too short.
    static let rsa1024 = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALef6K2+docvElXS
        o+zpvye1Qxb0h1/Ylvd3Dnskc2fWmXLjsDr8ceMgXrWLM4xrcLo02alCOrzF0+9u
        GrSIQiVKqk5phH7MB6cYCfbgun0nkIrcSXX2qy+C2OSPwsvkwfr5sG9nKPORqy2b
        gJP99NdHIA80gUJ62xZ8XVnU/cXnAgMBAAECgYA64uxCc7cdKSpPHYr2Wgu0VzvZ
        q7eSNCpN1/9r3EeqQDbbkkscz4JSXToiLC7u1DHFdVdsIVIm4aZSvVORG7ViJq+c
        NjeVweF6wnXJrWW4+xpzAH4KTm43rSVY7BPFUYvkRz9l7zXmCq3Ze2uUXLFscVUN
        9+YDVhxXpXF8hW57iQJBAOp9O9rn7ghI/nBrpETdS3yz9m9+jRmSTqCbXJoiSQ/6
        jwV0DhAgUsypMqt14TjrSL2WIdQnv/2f4w5/5eyAbwsCQQDIeCrPj6Rk5DQvN/SC
        5q2YWqK8521JG8aw5XoB68Uv8sZO41A4Av9bcI3LyqGEw0kASBM/GMdxMEQCdGt0
        sD4VAkBfPtcdJ6/r9ZpEF7T1s92BnaevyfuOM3t0iSaoBN0gfGmzkVxU+IwpTWCj
        fJIrCIbXWzAKeMrnPhaAQTsnQVPZAkEAx2uS2st/s8W3i8lT+OvUgJyZCuYFNxbk
        fpCo4ERT8jDFyTAjWrTQpXu/8pxuNI23jwoj6z6RGC31WaPKSVgRSQJAFCfAceWu
        aR8Nks99HEvZIh9TqBKe0RQ8uWDYQm4cUggOf1GUSnp78Ev9ofKwOSzD9p9agyY9
        lg2g7fobMuDkwg==
        -----END PRIVATE KEY-----

        """

    /// An RSA key for PSS alone, which cannot make RS256 signatures.
    static let rsaPSS = """
        -----BEGIN PRIVATE KEY-----
        MIIEuwIBADALBgkqhkiG9w0BAQoEggSnMIIEowIBAAKCAQEA1igBHKva3oYqWXil
        OYMdfOeo6SghnstmlxUHvJ+AoPtAZfiVNXULs2EVonFr3TGxJcyHKSD6rEdaI79q
        QxFV/JaGX8DeOO+tTp0OGN8fuMxImVKK8uRBB5/XPJg5VMdkZkt+Fwzn5ZtdS5wb
        rBoVaYlmNdUxMLWhsNzf5GjE1/LBFvBeubTJRPOnzUoyxp83H2JAs/RKPW5EmotQ
        OXakzq46TrOP1KzOmMSZ0OEP1jKCeQcjcDvp/1GeAL5M26LBt0jkZnSvzrOuqNMQ
        7Q484ot7p9gwEX/EwZAtRsVxgTSj01aGD58mLL6CuxEJEXJuJHvPoaRC+MSlCYnh
        36okmwIDAQABAoIBAGkdPpp7kdTKRqwexv5pKEagEGzMuV/PV14NwPvo0EJzwGKs
        tlQETMdxfiR7BmYOF3TFpIvf95oq9Yf5UqdzsWBm47LJIGoS3l5pQTuc/N2AS5wS
        A0iAF5kt7//6eZ1utw1svYmD2Kj+7raHe5+oN91SxvviViAh7qi4aR6b/A4/3tkk
        rzUPhC/Kul3XgtlT59XveMwoUKwmNmUXS8tPO76N33JqhlQ92BoJh1vHiLhzNz/t
        diLdv37JTIX48hf6PsPKWnemWna2lie78G1ogzFlRIRw4Arj8fN8PCprzaN94tpG
        S/jpaPjVLVWi7jiJsL0p7DBvJR5VJVC6EbUwk9UCgYEA/J89K765+In2yyZz8a+g
        MpO5LjfFMCmxaMUGhLaAnePX8Bgofx2IM7GfBX8QKs7eqpEI4jM8Ch7a+t+zRGnT
        sc1DoCmVB8V8nAfN8yT5i863LDzs9wEZdszzhEvPKfiTxUmgSajeKFOdMujhig78
        Zq7eZ8Vojth+hj3hHRAj+bUCgYEA2QUXdaQ5XKrfbkLPOsCWICBfHxYKr5Mp5Ug8
        mg249U+qE8qm9hi7FSr6i6N5MptPNsnWW/GhhYFtMTMCYbnRNHuBj9eOswGL/067
        4+z11BU8/7qmfaWeYFPxhtJmCrzRqseSJJSVOsZ6gvV3fAWBfa2EV5IZPVYGxEhH
        pUwqVw8CgYBFFT7jMZslzoTA9VkLpN2IN0GS1AmGrEApyIeJz2bIxsAMlm6spGTU
        ziQQmrjPHBdkSZlGUoB+vAViSb56XP5ZRyrRJ83rfCQhfzjg3yGnC/ankFm1CoXu
        KQoHCbwzXBj9AK9mtVlbadI5U9opqQN5CSUk96UqOyYOi+l9yyYraQKBgQCu9wjr
        4qQQjv6l4Z07a+tdKVwnLtkcppQfc3bQaQHWXQzs+fRT8qpaLZVjoT9kSoy5yk5V
        QGENxsQm504jRfFh07UoKAy3Syb4hhy7bN7gxuKv9mamZDFkziiqntSAEa0kd9Pe
        RCBwC3bYQFi9l57HmW5aP8KzjbjU5MVGgjqchwKBgFcPl+0vOtomKfHZIGRuk5CK
        cq8mr+LusasVCfZIvx8ElYUqVgw7OYKLTvdrO2cS/fRweef3+7qDql36SN/RMQkU
        6fdkHnAoq11MayskVxqWuUvokhoqp5RJS4tHevoNbvxp+9j1TQszwmeoaopF9AAt
        jlavoKWj1ja+fTlHxTRZ
        -----END PRIVATE KEY-----

        """

    /// Another curve.
    static let p384 = """
        -----BEGIN EC PRIVATE KEY-----
        MIGkAgEBBDANcJuZHHLiDuPtQAsWvnz5m0UCZw/kA/6SlGW1TNFRIG2cuB8EhUJS
        1/zlPW1eQrmgBwYFK4EEACKhZANiAATOqdGpYCU9gxpISAW118iNh55fqiFqm4NC
        xotrcIiMrKsPyBCmdWOGfnLoHudXOlCgPrp2iU55uRWptgF35AKdcBh3/4rA1drf
        kWKkJW6cSPOJcGBtc46kaI+xwZx21qk=
        -----END EC PRIVATE KEY-----

        """

    /// Another curve with 256 bits.
    static let secp256k1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHQCAQEEIAb3okDIZONmw5N88VqniFsNPFn8q5hdiRvhpBHk+eE3oAcGBSuBBAAK
        oUQDQgAEvSNzzKs9bLTB6gIY2Qo8TPuUNmUsnJNdojlmPTS1wbiHSsql90Y4xEuz
        D7+N3RvZqL/v4SS45pVXgb/cxCvDNg==
        -----END EC PRIVATE KEY-----

        """

    /// Ed25519, PKCS#8.
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEICWoDWBQX5txVmGxhFJ4LzHi+DNdXsUol/OKLZjw9MeW
        -----END PRIVATE KEY-----

        """

    /// Another kind of key, which cannot sign.
    static let x25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIAj4kVLdNxnTk1YpVtqM56GIusuJROKVHHipd9haiQRS
        -----END PRIVATE KEY-----

        """
}
