import JSON

/// The device and the preferences that a page sees, until its tab closes.
enum Emulation {
    /// "light" or "dark".
    case colorScheme(String)
    case reducedMotion
    /// In a colour scheme. Chromium only.
    case moreContrast(scheme: String)
    /// "print", or "screen".
    case medium(String)
    /// In px, each of `scale` pixels; with fingers in place of a mouse, or not.
    case device(width: Int, height: Int, scale: Int = 1, touch: Bool = false)
}

extension Chromium {
    func emulate(_ emulation: Emulation) async throws {
        switch emulation {
        case .colorScheme(let scheme): try await prefer(["prefers-color-scheme": .string(scheme)])
        case .reducedMotion: try await prefer(["prefers-reduced-motion": "reduce"])
        case .moreContrast(let scheme):
            try await prefer(["prefers-contrast": "more", "prefers-color-scheme": .string(scheme)])
        case .medium(let medium):
            try await devtools("Emulation.setEmulatedMedia", ["media": .string(medium == "screen" ? "" : medium)])
        case .device(let width, let height, let scale, let touch):
            try await devtools(
                "Emulation.setTouchEmulationEnabled",
                touch ? ["enabled": true, "maxTouchPoints": 5] : ["enabled": false])
            try await devtools(
                "Emulation.setDeviceMetricsOverride",
                [
                    "width": .number(Double(width)), "height": .number(Double(height)),
                    "deviceScaleFactor": .number(Double(scale)), "mobile": .bool(touch),
                ])
        }
    }

    private func prefer(_ features: JSONObject) async throws {
        let list = features.members.map { JSON.object(["name": .string($0.name), "value": $0.value]) }
        try await devtools("Emulation.setEmulatedMedia", ["features": .array(list)])
    }

    private func devtools(_ method: String, _ parameters: JSON) async throws {
        _ = try await perform(.devtools, ["cmd": .string(method), "params": parameters])
    }
}

/// Firefox has no commands for these; its own scripts may do the same. Touch tells the page that its pointer is a finger;
/// Firefox makes no scroll of the fingers that a driver moves.
extension Firefox {
    func emulate(_ emulation: Emulation) async throws {
        switch emulation {
        case .colorScheme(let scheme):
            try await privileged(
                "Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0]);",
                [.number(scheme == "dark" ? 0 : 1)])
        case .moreContrast: preconditionFailure("Firefox reads this preference from the system")
        case .reducedMotion: try await privileged("Services.prefs.setIntPref('ui.prefersReducedMotion', 1);")
        case .medium(let medium):
            try await privileged("tab.mediumOverride = arguments[0];", [.string(medium == "screen" ? "" : medium)])
        case .device(let width, let height, let scale, let touch):
            let script = """
                const [width, height, scale, pointers] = arguments;
                // Narrower than any window can be.
                const size = { flex: 'none', width: `${width}px`, height: `${height}px`, minWidth: '0', minHeight: '0' };
                Object.assign(gBrowser.selectedBrowser.style, size);
                tab.overrideDPPX = scale;
                for (const which of ['primary', 'all']) {
                  if (pointers) Services.prefs.setIntPref(`ui.${which}PointerCapabilities`, pointers);
                  else Services.prefs.clearUserPref(`ui.${which}PointerCapabilities`);
                }
                """
            // Coarse, and cannot hover.
            try await privileged(
                script,
                [.number(Double(width)), .number(Double(height)), .number(Double(scale)), .number(touch ? 1 : 0)])
        }
    }

    func forget() async throws {
        let script = """
            const { CLEAR_COOKIES, CLEAR_ALL_CACHES, CLEAR_DOM_STORAGES, CLEAR_PERMISSIONS } = Ci.nsIClearDataService;
            Services.console.reset();
            Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage).clearEvents();
            Services.prefs.setIntPref('ui.prefersReducedMotion', 0);
            Services.prefs.clearUserPref('layout.css.prefers-color-scheme.content-override');
            for (const which of ['primary', 'all']) Services.prefs.clearUserPref(`ui.${which}PointerCapabilities`);
            const done = arguments[arguments.length - 1];
            Services.clearData.deleteData(CLEAR_COOKIES | CLEAR_ALL_CACHES | CLEAR_DOM_STORAGES | CLEAR_PERMISSIONS, done);
            """
        try await privileged(script, command: .executeAsync)
    }

    func console() async throws -> [String] {
        let said = try await privileged(
            """
            const storage = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
            const faults = Services.console.getMessageArray().map((fault) => fault.message ?? String(fault));
            return [...faults, ...storage.getEvents().map((event) => `${event.level} ${[...event.arguments].map(String).join(' ')}`)];
            """)
        return (said.array ?? []).compactMap(\.string)
    }

    /// Runs the body of a function with the rights of the browser; `tab` is the one in front.
    @discardableResult
    private func privileged(
        _ body: String, _ arguments: [JSON] = [], command: Command = .execute
    ) async throws -> JSON {
        let script = "const tab = gBrowser.selectedBrowser.browsingContext;\n" + body
        try await context("chrome")
        let value: JSON
        do {
            value = try await perform(command, ["script": .string(script), "args": .array(arguments)])
        } catch {
            try? await context("content")
            throw error
        }
        try await context("content")
        return value
    }

    private func context(_ name: String) async throws {
        _ = try await send("Marionette:SetContext", ["value": .string(name)])
    }
}
