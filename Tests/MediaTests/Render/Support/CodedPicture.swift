import Foundation

/// Pictures coded by x265 and aom, without a file around them: what ``HEIFFile`` makes files of.
struct CodedPicture {
    /// The property that a decoder needs: hvcC or av1C.
    let configuration: [UInt8]
    let data: [UInt8]

    private init(_ configuration: String, _ data: String) {
        func bytes(_ text: String) -> [UInt8] {
            [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
        }
        self.configuration = bytes(configuration)
        self.data = bytes(data)
    }

    enum HEVC {
        /// 120 x 80 quadrants, 8 bits, 4:2:0.
        static let quadrants = CodedPicture(
            """
            AAAAeGh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACtCAQEDcAAA
            AwCQAAADAAADAB6gPIFFlupJKa5uBAQMCAAAAwAIAAADAAhAIgABAAdEAcFysCJA
            """,
            """
            AAAA4ygBrw7g6JSAwHJ1/tdxP//Rh3IfzaSGiG4CKaSyHTL05ORN6neP6F+pf0XTgcQUTueq175fwv6MUh0+OJTuRSDze5sK
            2RY0qADiZqtiIja1PVKIL9LIxQq+K0Ny6RRApv/ZsfvHPxIKl56Au6fzzBf7yf//DsQFGQjfnfiONLnrwyxnypLssmvXlErh
            Le6p2G6KKgn/6DmcLcJr0Zsub5bbbH5jn5IEtRolkI/5tQAJzy+tvL/2v3Ai5D9VxMhbtwAAAwAAAwCt/pe4YukBDwAAk4CW
            /3+7qLZsylzn8S0AAAcU
            """)

        /// The same in 10 bits.
        static let deep = CodedPicture(
            """
            AAAAdmh2Y0MBBAgAAAAAAAAAAAAe8AD8/fr6AAAPAyAAAQAXQAEMAf//BAgAAAMAnbgAAAMAAB66AkAhAAEAKkIBAQQIAAAD
            AJ24AAADAAAeoDyBRNlupJKa5uBAQMCAAAADAIAAAAMAhCIAAQAHRAHBcrAiQA==
            """,
            """
            AAAAlCgBrw7g5uuuKwwHJ1/tdxP//R+vIfzdGeiG4CxDTIdM9OL1E3qePfus+9YVwJG3u4YfPIO9fL9kpZ/5StsquuoueNP/
            0aZf8qH//Py/XMttBuNEa+fCziUmkyyM8+sliaYljpF9vCqMr0v+DfiAcjH9+aVUJGwieLK9L2AA7pEDJXElHgAA3CKq3niH
            4g21zSNYHPA=
            """)

        /// The same in 4:4:4.
        static let full = CodedPicture(
            """
            AAAAd2h2Y0MBBAgAAAAAAAAAAAAe8AD8//j4AAAPAyAAAQAXQAEMAf//BAgAAAMAnjgAAAMAAB66AkAhAAEAKkIBAQQIAAAD
            AJ44AAADAAAekAeQKLLdSSU1zcCAgYEAAAMAAQAAAwABCCIAAQAIRAHBcoYMAiQ=
            """,
            """
            AAAAqSgBrw7g5tR5NMsMBydf7XcT//0YdyH82khoht+EEfxchol8AELd5bSP7q1wg/sT/+6Kn79gVNA4CSLezyrpn26ilDq4
            YkDnVrAH/w5/x4Off+Uzh5VBWjN2Jz5vf3gZeNy5O6ACdmAz7GviqOb9ggp9MEW8xKEAAU4AAdKUyYtlwtup4AiIFOXXS2Mb
            By6wy8JPCb4rVCwTniV4C6PhOjYJCozMpEAAT0A=
            """)

        /// 64 x 64 quadrants.
        static let tile = CodedPicture(
            """
            AAAAeGh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACtCAQEDcAAA
            AwCQAAADAAADAB6gIIEFlupJKa5uBAQMCAAAAwAIAAADAAhAIgABAAdEAcFysCJA
            """,
            """
            AAAAPSgBrw7gNIMBydf7XcT//0YdyH82lpHeP+ZTL//WGv//cxK5HT/a/GcfzUwf/9QTF31/9pU//9vcn/+Nd/g=
            """)

        /// 120 x 80, the left half opaque: luma alone.
        static let alpha = CodedPicture(
            """
            AAAAcmh2Y0MBBAgAAAAAAAAAAAAe8AD8/Pj4AAAPAyAAAQAXQAEMAf//BAgAAAMAn/gAAAMAAB66AkAhAAEAJkIBAQQIAAAD
            AJ/4AAADAAAewPIFFlupJKa5sCAAAAMAIAAAAwAhIgABAAdEAcFysCJA
            """,
            """
            AAAAvigBrh3A5tAT+Qzf8r8oi2KjUH33Cjay2LNzt3cI9XUv5wDnvh+m35OQsOg3xMl8bAvUsTkzVOu8Px//rT3sY1pkae+c
            M+u/tySztZs2rNR3bR3eXpWIk83CPf/QOWmmyQMc8wOnavJVQVRxU3OP3aJy24nTLWtNv/iiHkDVSMagk8nc8bf7MSeGTr0W
            RrfEMAaPH+U4yzAKqAAABRjbUHPjyXlQXBlNihCr2IxSzAj2p6nYfwpICj+pGgtwWkA=
            """)

        /// 120 x 80 quadrants with noise, so that a share of the bytes is one of the rows.
        static let noisy = CodedPicture(
            """
            AAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAA
            AwCQAAADAAADAB6gPIFFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQ==
            """,
            """
            AAANmSgBrwnKKye/2au6PgUrfxqDQK00X8hiqC+qOVbrz5Lm+5y+MpeEVyU/OLOEZ3OUoi9LU2tUY29UlvV9of+G7OFcqMWU
            zsuVqSwkCjdlsu77AO26NeOKj4bnEusZfw15uvesPQKGGrorAMQECzK70Y678eW9PXoT1TlZtt9XzrvwCy4b09/TIgKgbnXN
            wAFhDRn9hfyjuC7TMNBrU7e+B3GVo9aBwes0qynQgBMyC9UWWs9vcHgqcHkXs+e+Zg/m2enDAf8PCiDurOHnborgU0kSQq1g
            Exo7a883v4IOijjWSe2Wyr7z12qkRCo2y4ykmh9nKx/h/ElD89K6usYGurNacYnpOzLZ+i3ebYOLWHPHew2u1so2vi2fD41K
            Sk4Tn2mWjKJT4rowY54sH+ck8DxYvsKGeOm10Ed4JhXNB5FZtCKvMm2t/JeZuVQPqabMHTCphv+X0MIQnw+U8lM56Q4jMEN7
            mH/4qeyp8YLVnLUNrFiqIfXe83S9FTRu/ouo0u208dRlOQ+bBRcim7c37779Dzr4izYOSJz04surbKP87UF9qxtCYiDJnf4x
            iq+D+tOYKuXda/UGvfe6MY8lEwJIVjBPacH+PWI/AYx4rjtORslQmx3Pb0BSdRTsvS2Y4r0EPQ57/dlkyEGiO1Tk2YccMvJt
            gGX35nvDBDufl979n1CT7ckMmPFRVECFJSRonuuBR6PKzILE5PWnNLh4LYLmBI1a2Z+W8I9BU/nOrpXGhMeIvAAzD9HFjYFV
            rKBuS1MDxDw/0duKUlpKmPFKnrRhR6ARsT+DO2q6aJ22ZpCELxl8InD+ilMaz7eiM8NRwh4tcOedNSa4WQ8rjuX36cZhMirZ
            aY5wVa+iiOtRzMTYCMOFbFTrj/4SJT8JBnToh6xtGZBaaQksCDwTUhgQpFaShopJHPor7/AraxXZF9UaTrA2q6Fz/OaequxS
            2uRrrrgQR5aHjIE61MQE95qUGuhYkhAcxX8JRvWMsim9Q2QQVMwfdg56ZJMgncn6IyfhqmkGhCzA6796Pw3OeB4HbbRdCTtu
            xU+EqNvEPxb3NPr61KRAu6aVPhGHHIFUZqL5f5adu/lQui757sg8EtwXA8+09ycc0BZ7zOFJcYewQvECuLHFmRF7/v+EqQz5
            ySgREQ+gjKpeC0dGeUBkCjvVOqmypKz46mMHsQqWj7+0ToSgfa1Ms2gt5v0LQwmcieCDexhNwMp+JBk6JTfzyfqGr2O68Ix2
            ci8a1KMcAj/K0JRiAmgmFE1+u09N6jo0bnBs4/HROk3EAXvPql68jdyeFwbbhv0Ffl9WGhNR5CE9B/viO3tW1XjG/KOcnfg0
            1XCPgGqLKVvgzZE+ZDJChUpZPNpALfVR6JlK7rx+QaobcQkxwmnt+LD50tJ1YLk3CK/Kp8yeAI7AKe23nBDr1aBrprGocMDp
            FlEolgZlDj1BIc9dei+SoPaced2nQT/s+U/IB3mF2G+bz38Vaf20/dO903oYUhPvE4zMa7hQKWEYHNshiyLP7VpxTXNyC+m3
            79HIdJT2nGdLaVJKs1ZCyvhlZQ6PWqciNe/qmJYZ988Bl8SXCwHF/4TvKQ8BHLC1+Pe6eWWfG1+PEl0Su/Dg8bwTRisFN9yC
            b6EKVLI/Ak0B/o1tC6kBntuGDvXUvbU4ou46Olh2xiwkK45AE9WrtERqGJVr8p0v1Vkxm9YH2d72j86lwq6sP5DNQAHMRI2E
            m2Qg44yvccDupUC861Y4lK279AQObft/wgnjCc9ATVI+yVTccYiyRoRDrU2SIKso4mQFsXVYqWV5CKHzhcqnMaHHab3q6gGq
            zaSeAHd0IZD3t0LWt/Hari/HOZrqp4rh69RTratVQowPnWLMZcxnuGqOuRrhXxjG1a3kPGQYUFxGMcvGuZJrnqZdSKN9kmPA
            rp+tyQmdVCjjf1a7rtHp4FZfUr9RL+O1EHP+zOsJmYMunulhgII3AgnDtMQQ2zJkUG+3fRqFNdIUQWgAkJmBkm9qw96BiTC1
            XKjFUW6Cp4Gb4ibT5YKq9fHDxMioEcKvUmDsPUAW4/f670k/5lAmZFRbyl5t6GyvYlUbldj5ZQdwuz6Lpb+l6wdm0Jlm9inf
            FzEtkuLmwLicEKZkCLk6VznvAC/oXO85N+OIy3769dCxR0uGJc3CitY31PIZMLqD+91bf/1RAOSAY/3074vcAQeaD2N2y4BI
            l8cdC+K6RZaXGZIlZFvMdb/MSavEIwY6foXGNvrXkfYyDoBoCZiN7KIeHg8oB64pCo4P4J6AAY5SXRNWeXJ+jjZ1fV47a7pv
            W8UzK3JDbhWW3wb1Y4weRhbC3VJAAJP1j4L1iK2g1JAXm4YC5OETALZKnGED7gRuLubZ6Hw0AnzR1lGv9i84OcDCV57C7T3m
            cDyiOqRkwmqS4L6GGVzfeGiO50hNJUvR2xrtWdOalU2pmEruSmbCGNzVYbMfy5ucN9izILe7mSmKRLRkekUeDWM27FF9CGQN
            kn/Gcv4010H5ClH+SBxA2w+XGkm0SfV8N9sF6v8vGTNwSib1LBD4DOaQttnzpYJqSZKKYcABqARtkX946tzF/GWg+XF08VP9
            YKnJBmd/r97dkSzBJfaq7ExGZTg9LWkyDeGbUO4HUIQqapnDr8y2laKfZC0TxCId+qUFd8AcLuxq4JcNpcpRQyvIcwIqmdg1
            5VPQbv7U7XcArI1Pzk0DMDZy5dsywk7S9r+/K6M0IOqEixDOGvRpXzC1ItYaNWbA7OCVhy3q+om5wFqXSk1Xe6Zti1fVP2SS
            jVTEvZwk83VMwr3GpuoS+WylsjlrAlUaJzWG2fSo6swOTFplfiJ4r2qSd1LPTkH1Oo4cxELRo9C8kwyeru3/DYC5IU9RNfw4
            gVmFam84yH4ClmUqXKnU9GCKZ51a+zoC1Xwo1RvAg05p22NErCWpnIC51axqSnsE/O15rwmHhctBXiK2HZgHT0eD9ME1Y882
            qe4XSry+wWsISiZkWACuyFQFJMigXfkcZR/43wxJKnktGpHITMCpp9RqvX+HlVkq1WiI9B0312v6cnKSCRsiTLgF0+SiRLn1
            pcbedYI60MOkR6DrM7RP9hUlA1K1vYWw3tKmhz5nU+1f81UVGnNNe1ykndrHyRmz583uAh/tfYan9jMhfkHlgLDyvn0O1foJ
            P939ry0ddnd8pIk8perPWxVrJg1LSH6p005s7fDC7ZfLA+hZAswPsDXbbh7dC9Q/bSFJeIWT7hITL2aSfaNF9G3umnAAThpT
            PLSDZfCBGdE/1cUDw1EJgmdCmoLAbMTfb3TUL+HjMdjpBU/ZGNjXxxY6RLO8F0Z2+TDfU+RZjtUJ4EB1sxtORoCRj8ZV5Xhz
            h7+Je/P3K/ERRguJJlHYzMyxElQqxGc3q/kiBqQF8fgmQudQk5pTjkwMFOMFglN+N9w3aheF/2IFVEjrhiAQ8DDVTvzVeijJ
            sDYL406Ol+gQpIZnpHaeThAAPGwLSQ/pL/PC3j3ROonKiHufKG1zv+bO2LDFdo8f5Mf1rfVofVf6tpc/0pk0gNtVyBifWzjj
            +jqk/GSw5rl/AiSbNRAIe86cjH6MEozXzidwiZx+tPJlyvCedqAoKLtS4JgT1jIuu36WjFI8A+M5Fqqe33uWHGP9HZnMMV4y
            oTg8w5TMwq0UaKDf1TYZLUAA222TnXD+fhmEGlNDNv2ixlg/ZQSbCbGmnDJ65pXQEdrE+Hr0xyYQDYKKR4nC8PVfObvXiQYH
            jIXu0jL1MD7Yq/w8aQe4bU3BY6bSez+svj8BOni7/ndkQmlGJUH1UAMLBuDOvuORluEMq6qMIu6GfZ4tHBWFIFSCEdpQ3gTf
            btoMRdrxwVvMEzFD4exs8SbfQHFWdaf/4soJ6+tJ3TbkR+BO0YIAK6OBfGZKblztd8FhqJh95SbmoRKZirCoyQVAsJKypr6J
            Fa9aQ2MHxSCgZ+psVO8dQZVt09DhUMW96bdQjhUbPzfjZxpdNrVu/ZG8iwRRdh6pRnrN523XME3OMGOsu14BGrjm1zw6GHcG
            rdZMj+tjvgp6R78cDbXs8c2KetztI9Zut10ilS6uD7HTJSH9LgTCNax62r7f8c5o03IWGLEQV00G/URZ5n9QzaYCUtv+T9RL
            74way0RaQi5m/LRoAxv4fWl6tl0SwV7Gt2eCxC0XUEhY+BtV9eOXKLvyge7c/M2aFnjyyw+kr8KWeBWXlySU99pvFHBHh1Me
            NDhG6NjXxSD1YTobA7etMAG/1wpW1w32SxDWLJwcH7WKA4GYuBqmwd4qMT0x+uhwpKSOVaHUyEW5hPKMXXO+/qC3K8zhK1GQ
            g+YBNg90CJIlymK93/1Y+tru4MJk+eSoXydrMfeSafKA8ZevSyXqtPShve5wNoae/ptLokCkIYcVdDyiywWuqOqAlS2GnihF
            cZ9/iO2LpNVFjmVu8+2VGGEAscho65VI++HarX2uaqAdn1l8ZoZZGif9002GQnSFZ+0lRfB3Q4OpnFZhlRX1QDNgPlNfOa3Z
            AE3iw63fTa3e03WyhgIkzhAeAQ/C/cLvjQU+SRFcTdItlBo0dLWNsAjcXuu9vVDKFXporF+6nAt+TKQW7NpQ/1tEqPjtii1T
            ZFMWcu2CmhJJJrB9F6VguAu0Udm7VlT7V5iUD0w=
            """)
    }

    enum AV1 {
        /// 120 x 80 quadrants, 8 bits, 4:2:0.
        static let quadrants = CodedPicture(
            """
            AAAADGF2MUOBIAAA
            """,
            """
            EgAKCTgZu89lAQ0GkDJERDAAAAQEtEz+283QkB2sxckK5918YF0WfQ0HYX3BKQS4IhEOrT8IDrOW4sDoB9AJvCzsnyeUmWss
            bQa39JslaEIWpkA=
            """)

        /// The same in 10 bits.
        static let deep = CodedPicture(
            """
            AAAADGF2MUOBIEAA
            """,
            """
            EgAKCTgZu89nAQ0GkDJKRDAAAAQEurQhPucDiml5wRq5r6LKtSNylMaS7rs8VyVGLy+DeEfqJlB+UCVdlVaQPiWMtWLgi8RD
            dYIVkKn7TxhVGBotj9GWDYA=
            """)

        /// The same in limited range by BT.709.
        static let limited = CodedPicture(
            """
            AAAADGF2MUOBIAAA
            """,
            """
            EgAKCTgZu89lAQ0BEDJDRDAAAAQEtEz+oIAuJWBLRbV5a917XDEnZhg7Vi9wSkEuCIRDq1AqpMmfSuOgjj/zws7J8nlhS6oj
            YgVFl2StCELUyA==
            """)

        /// Their luma alone.
        static let grey = CodedPicture(
            """
            AAAADGF2MUOBABwA
            """,
            """
            EgAKCRgZu89lgIaDUDIkRDAAABEAtFbDXtCjtfWERVgyi4kp8zvPLafxCVURRvO15BQ0
            """)

        /// 64 x 64 quadrants.
        static let tile = CodedPicture(
            """
            AAAADGF2MUOBIAAA
            """,
            """
            EgAKCTgVf/2UBDQaQDIvEwAAAEAAtFVVmErxoM0zxI3j7vyQa/Fb09tDJCk2cHSIMWnR6Q7OhiVPZ2z6xEA=
            """)

        /// 120 x 80, the left half opaque: luma alone.
        static let alpha = CodedPicture(
            """
            AAAADGF2MUOBABwA
            """,
            """
            EgAKBhgZu89lUDIRRAAAjbZo6Hz0T9kto+S7hD4=
            """)

        /// 120 x 80 quadrants with noise, so that a share of the bytes is one of the rows.
        static let noisy = CodedPicture(
            """
            AAAADGF2MUOBIAAA
            """,
            """
            EgAKCTgZu89hAQ0GkDKtIBEAAMMMMUDZTu7d5Ejz0ctMIcXFI7M68xbDC340tJH05T0jPF1NbibAYFRkYc7om5FC8tVMvnoK
            kuXQz5NYXiSmqFyYAg1OdoN5T8toIV/FPj4aWTXNqx9KB6VQKvyCxXjJAAmttsi+Y22B1gEM+WStfQCfFjVSwvrEMLLkbwsQ
            947sQVbISlTYDFybBeLGqJEsFLKGRV3x4v0LC7tgXqtxI0/2y+uC5NhP99OxJ6nGmqPKxAny5UbPAvT0gCGrTaeLRjz87AnR
            wzX8AAzdq/HCFd2Ffoy8s22G+mpDRLrP8tTqGb1+Ra81bZZVGgOHIJglzSRqIdep3Vn5Qjj/DQB+sRyvWlJhsfReEKpb8gp0
            6koKiLrjtg9uueBtri+7MQgDpMQfH97GoCHVbi33M4WGDC5Mi9NqGMnFSAnVLWmXllVZ1B3ncg1A6BFA1H8k2rg7id8mSza+
            ivhdcKIYSSU5nTaL6j9XhBskbeHsWMHLbbFyhMR6/GWG5f0wTHlcqLzuklFFx1vX+JHBhm/tRU11e1Dj7ad+zRL7ZMIzRoMj
            i4fVrM0phbpuYig958r+/qqHubCwtlD5CKvofGWZ4tLVUFYppQCbGytiOXdjUfyxaBy/WRCWjwY4lR9ncSU3KjQYEPcoL4Fl
            RvrOuqrtbljA0MfsvqHSHB6fOceaPZnB1KPh4RV0d5OmIyfXzFJEBrQHiv6MCtcQ1KkZkfFTuDQGQ7E1hmzklryvQKUDrXHN
            oeVj0Bd31Mq1kH2er/ylUJbP0E/ij8WhK/hAFxD5WLA89ooFCkIzuiKj6rFNySA8R2FmEzOtKFEFldSPNkxxA9beD54Vnstb
            SVL+tGQPRfHq4OlU1yf2Zs1hNUFNoyThVHebAFUG4V2M3YGPl4DQtxt/kNqtuTz29wjl5MXZOSBu4dKB+ZsQG0HEZWZ2VG/e
            sPpGRUSWo/a7Zs7UjSY7pSV6e0m1Fp8g4qmwqVm3WUEAMZkHDLGkQJdVnDZeq+cg1K8jnRFWHhS1VLxzBxUOk+5VsxMEHLTE
            5phf955EA+TalW+yRM2yFjQK5WAKDwXxXgqVSFIMzPV5qa7rmKyeQ4FfYZ02yAtTi9UVG03yndKV6WblEV7ZiF4Sdor240Zj
            VF7wjNx3CRtlSXmAn9Df8n+AVW7S5JBDeoaxUa3pwiI1dVQrZ3o/fgrZTKpibW1u6JoiAlJpsXNMszFQq6/3wq/MEamqvfNx
            7Jr/Qp/22V45N2+Af+zLbQtrOt8yTrHCVDFjPdj+uulNWlKS0+l3V981POj0YVUEa6opA6ACLaE9OwZO1ud055Quc2pZ45Hl
            dVqem2xAsMv7qOvT1y/vILzg0kn/pLjcNnvEWDkTx55lEYIQ3R5JJRcthFy5z4/We3ZJzSDv46pLS0J76WUKV4Wh26/BhRCE
            FVvtaGlmNTrvevp7gZtqttmcmcIYQgbXJHLAVi7J19wZQylJ3VIbKVfEbw/Q0wM2gIFBVzS3ppGQp4o2sGXPAkSJuawGCp/F
            gNrkXYc6XngK9YasZtE5nnJ2akwNO6TqVDk68Kwu1t7EeXIYpmgZCMpHE0OPXhJm7+ym/ohXVyr2V96+2UhHbYghcrrfY7W6
            Hv5bJTYroFZ84CzDOY6zJHw8f1liODO36vgV9THyS1FC4osIQdgtUHDmt4p6vwBtjxW0vTeAhKAa8sC9dNtyXcA/+54AT91T
            uU9PAeXG79pXEqhr36PMZM8ANG+IEctIg9sUpBPsPbgffb0OR0f6fkov3L/ifD3LdhWHAljBCi4ykHo7d7b1KqZDYEENq7Xv
            aE0C1mirFNYyLSi9XclN7HuhAVLM99ZnsxwhqdD0FdreUgpr3Ez+xgPVqEojrTBxeXX9H2k45h6lGgn6nJZqse/5xirNmMLt
            u34oAj0mSKaU9XWoMrxfLxWXwM+a1akMDg453xD+B/oDwCrgdEUCB8mnNcpd1jHNJOCuBy6l8cbQV9QAJrEoCETD2IdpJkmC
            IMKbXwuIq9frn1URVBGmj84Df+RTSX5NUr5Vi9qiWwgac3x93OvBsGQlPBqJ+DbfBYuY2jZuhdWH3wsLp9ls0ev5VNs8BMbL
            THM8C0q/uUGTS5Gh6zlupC6Ctr5sHyRUHNedaq736+jY+l7bs7IboYq9LDfzQ/zclZsj39le8q97HkPeny/oTRA9g+6/FlhK
            Dm7sbjYa/Ml2mJZh/NSe8yPM3n+wKVkdoHJl+T5Biku6p5q3bRphg/JgTwLLlTZuPOIdybcvK6A08brWk84Ke+ZjE9QHutfu
            ZoVrDYO/9RuQahYLfNuiqDpP6q1xBsEROt+e72/eFbcIBWsl9OGTWxXEv9d4nB2CpgrO5RGFkCnJs+5rd/Ykf3Y+RWw6wEn/
            L+QDP9ESsty//G/lmUfo5zccXTHyJ9OmeEjT7UsgyY4qocw9vClxyXvvt1M9q5hz7+LXrbCN2jgcDraL/uNvPKkKtOUPZJHL
            aZB9/1P/LN7cqYAmiYXaPlqgisNIgAoWR0tInQZ2ZD1OIuFluQHjXg0hm7HrEAJPNPDKMgoIoHWfEWcKml2uJY6VJAZ+T/hn
            UNxBdjuTkI1LgkiqidnDP8o9nbRwdQTK6a4Ylr7OAlDBVjG0imLtmbO0WcH/q64JIdap5Y+QBbh89Kt4s4YLdFzZxjBi/smN
            JFz1YfXAHyuyOqTK+l7Wjq1gkDtYO+Ijm99C9CvqOKrtbutIkjEtf3haAdbaniZB/Sgb8zFsWD3mhKeMJlkg8UkXekNx47NJ
            Ss6IUWiWyO4N9CMwEBHmGmUIdM59Q4ZUc8Ue5Y4HWHsDwd1dkUS6xH/hsF8YpqbuwjA4oNDFJvwaimrOEk9xjvZ1TtQcPIBB
            JXQUSYHFcgquGqgcjTgDJ3Uxd+OaswwvNVcT14+RtKsAMs+tXzyx7johIvLsqlqfJW4/RwS9yhUuCJFL9dKQ2rXv2iJUlWeO
            T/D1giD5eah1NmoGqHPYOR8A6yD6r2mLoT8FpcUIaHRdSBXDMRxaXuopb3UgLAYVwzTV9uEo/UVzw9Mfqyt8GRp6spYcZuoj
            V+IxvSfjOUKvo9mZEkFz27Zw6++e6HDlbI9iDL8+lMxAdRN4efewPteTQeB7dMmp2caFT5ox2Zb85AZMyz7lBvLmmALOvJir
            iy+H36pqkG546nPfJHAV1w4dakfCBQXTC/5C7Vg8GULPFGFOcw+jBj5PrEbUOILkYLtBzu8J4eQLd7rRNddGkXpmlcBpBc4Q
            t8+2UFLjTwJyVtMUoRzXlmDPU9aQZjXDPqtTfVNSMKgiJPBm02wOHRMigf4OQY6HajWFCcDfM3yYZIvQeQWNKGVXho44KT6e
            SBE3qdLjmCF8rMBxeRv3XH3nQUrUPISxueOPbwvBUMNIriXZN1CjBztsJBf4Abzed9fIoaGrAHSzE/wkPfNeNTvCMHcTRoMX
            z1C5j4YpHJ6F24BCpBVq8rZe8CsqnAXlOAGPfMTHlzJKWRvKVjYLHPI4BSn1nbie8CeJGy06tcygC4IBpXmQvevotPqjI2IY
            ML8Hk0oDxLPu/naSaWOSOWD65L8ta9ZAan153ZPDActqTrfXNC9E+0WYgIrLWOb5QRL2LI0RNDFHYwHfhkGDenBSzbYIZ7cA
            22pQ6Jjd2xdU7bxb0PKLxvZQWW4LKw6ESu3D320IBBbxs0wJu12dtnUi7vnRtgVcGJ+NDSeLBiQnKFZ7HyS3YUp1/2SbROxo
            rvlI02CTaucz87qG6AN1+eviG803qFXrtL9Md6coB8UYT06z6QOklyz3vyvuSitw6gzVjlo+GDU0gMc00y+BlX6knVBeWTq4
            42A5YWwIe34w3Ip9QZNDyTm3g3OLA9PfqjLmPKOZG/shwoiJLBOUySxRwIIQsJR1/PjWvN34P8hZGtk+QOz2dOLRrsMpwHyD
            aUa1zJqmaaCQNJg3c08y3+apLqTqhhTbsRYmeIjZiwcML4HHAB+HV3i5GQE+MaT8BIL/cm6jvbYExpiiOoIZJNfTFVvz+7d7
            b2nluWyNAZx2ekt51jLPsOuBT4bd40UUfQFLQHtV4NglUq9l0UuZlTUqXw5Tw8RAabHH2CHZ0kzHp6g56qMM2piktQ44My70
            u7soFmUrRY4HrHdCaL7I+6rrHToLDnaJ4Zqyk1YhvhGh4/4yoQ5PxqzxpgX5oi2Yu8g98g5mcOu2nUslLK2tnNOiIN0tYpNH
            Gs9Wbwiabh93+P0wOrI37fZ5YXKYMEDt7TSZdJEfGJoySljfGOVt9XqOQg3crtshoVM04Ol4WN+TqUF6af/8THNcYiglfiZR
            gfEQEkkzy9LQeKbz+E/Wv0pRiiz8n5brG28KY8kgTSIllKBs70ZWwJUMDJis8YZaDepdxmUT9x+/1N0LDZx6psXMGesuRbPd
            JuyZIqc8pWYtDA/DHwSi03IJf0a6FK07gUKmDSvk30rs8v32fnW4XR7GP2qWRStExFn4hPxU2sJB99JfmgkynmWvNS+Kei2b
            kN/f85GOY0BA6PW4yRg0KiQgg+38yFVU21kyYj28BeEQOaAOxCD/I5EfK5x0hDb4FZkr4DAZQKC2tQExqMvNER/oeOA5Q4Wf
            I9wqJfN0DnbuqATuV5hLai6tGd2VMFB7yUJ8+VicLbnXjT1eBdfu+uZjlqwUeOK+AI/kA8P82pnMIyZ/6kbB9Jc5Jvc0GugT
            dF4gIX25lbgZFFPh93Y5oij9FGurs7uanN00k6SLcFq/V3rZOMKRwWdz89fIM4h6qeAdLJOqW1V75nZttgGgo5+isCYwV+QZ
            clWhkFaq3Vsce6dlvwJkk4N3fzLOFVtjOPMoAvI0an3X/B6+X2juOFJ51tKTjcWr41tnbS5GIavwfQPegS5xDI1m/PDADoNN
            fLt66yMJNTNUf09ARAedRNI1WjLhAZuguNIY0FHgKyMqqml58g86ymb7Y46AVXk27N7dnhqkO3jDifDe6OscJ89lN8hHtGJS
            mPZ8oD71AhN1Io+nyC3zafHjDfOX4OAiJo7mAZvWCXntNm6eQggstFQ5m2MchZQnv06xnq/xqUF/ZoRVuHjyw1mEPq+yNuFD
            yCV1WaWtkSl9OQEXmRvX8/Ju+ry7igp02Tw9v3NAUTauqlVn/fho0McFmokd+F6mXgT42gjcXdmgkyrY1qNt3XLYC7eahgn0
            4AKt2PmVGN0PQkga81ZAUr4OkZRVzllucW58gnGTHY3yZfKvHOQuhdbsVcQ8HEQ5mbidNuV+nqjcBO/ZJ/yv3sUhS2r7J0py
            fU9/vCeI/wlV4VwhTflzEIahbIW0kVVg1OqynGcFW5cAy2u71HoQEOArW2/gQJiteAu6tboZ7rtvpevYdvPHbqQQ7W7aApAr
            yLEEHPzOPosaZm5AGZGUfVZYLbsp0d1bK2c09ByRrHXNDWgnDV1GhslDJ+ct9Quh/L7RrfLuYNgN6Q/UCXZdCvTAoC0JKzP8
            04vEHl9Wu4NutTfu8yvWZD4Hujg5PpDLNJSifAAZff0FwA6QAODV7KIux8idx3e7qFKpnCA=
            """)
    }
}
