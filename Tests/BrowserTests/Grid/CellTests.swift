import JSON
import Testing

extension PageTests {
    @Suite("A cell")
    struct CellTests {
        @Test("it has its name as a tooltip, and opens in a new tab by the middle button", .whereEnginesDiffer)
        func link() async throws {
            try await withWarmPage(path: "?layout=justified&item=40") { browser in
                try await browser.until("probe.items().includes(40) && probe.filled()", "pictures")
                // The link's picture lies clear of the title.
                #expect(
                    try await browser.run(
                        "return probe.box(40).top >= document.getElementById('stuck').getBoundingClientRect().bottom - 0.5;"
                    )
                        == true)
                let place = try await browser.run(
                    "const r = probe.cell(42).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2];")
                let (x, y) = (place.array?.first?.number ?? 0, place.array?.last?.number ?? 0)
                func point(_ actions: [JSON]) async throws {
                    try await browser.act([
                        "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
                        "actions": .array(
                            [
                                [
                                    "type": "pointerMove", "x": .number(x), "y": .number(y), "duration": 0,
                                    "origin": "viewport",
                                ]
                            ] + actions),
                    ])
                }
                try await point([])
                try await browser.until(
                    "document.querySelector('.cell .link')?.parentElement === probe.cell(42)", "a link")
                let link = try await browser.run(
                    "const link = document.querySelector('.link'); const { searchParams } = new URL(link.href); return [link.title, searchParams.get('view'), searchParams.get('layout'), searchParams.get('item')];"
                )
                #expect((link.array?.first?.string ?? "").isEmpty == false)
                #expect(link.array?.dropFirst() == ["42", "justified", .null], "\(link)")
                try await browser.run(
                    "window.__opened = []; addEventListener('auxclick', (event) => { window.__opened.push([event.button, event.target.href]); event.preventDefault(); });"
                )
                try await point([["type": "pointerDown", "button": 1], ["type": "pointerUp", "button": 1]])
                try await browser.until(
                    "window.__opened.some(([button, href]) => button === 1 && href.includes('view=42'))",
                    "the middle button on the link")
                #expect(try await browser.run("return document.getElementById('viewer').open;") == false)
                // The first button opens the viewer here.
                try await point([["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0]])
                try await browser.until(
                    "document.getElementById('viewer').open && location.search.includes('view=42')", "the viewer")
            }
        }

        @Test("a picture is opaque as soon as it has loaded", .inEveryBrowser)
        func opaque() async throws {
            try await withWarmPage { browser in
                let opacity = try await browser.wait(
                    """
                    const { Cell } = await import('./js/grid/cell.js');
                    const { ThumbnailCache } = await import('./js/thumbnails/thumbnail-cache.js');
                    const thumbnails = new ThumbnailCache();
                    const cell = new Cell({ thumbnails, describe: () => 'a name', hash: () => null, color: () => '' });
                    const layer = document.querySelector('#grid .row');
                    layer.append(cell.element);
                    cell.place(0, 0, 40, 30);
                    cell.assign(1, true);
                    await new Promise(requestAnimationFrame);
                    const data = document.createElement('canvas').toDataURL('image/jpeg').split(',')[1];
                    thumbnails.receive({ item: 1, tier: 'full', width: 40, height: 30, mediaType: 'image/jpeg', data });
                    cell.refresh();
                    const image = cell.element.querySelector('img');
                    if (!image.complete) await new Promise((resolve) => image.addEventListener('load', resolve));
                    const opacity = getComputedStyle(image).opacity;
                    cell.element.remove();
                    return [opacity, image.naturalWidth > 0, image.getAnimations().length];
                    """)
                #expect(opacity == ["1", true, 0])
            }
        }

        @Test(
            "it shows the preview in a file until the picture comes, and nothing of one that is broken",
            .inEveryBrowser)
        func preview() async throws {
            try await withWarmPage { browser in
                let states = try await browser.wait(
                    """
                    const { Cell } = await import('./js/grid/cell.js');
                    const { ThumbnailCache } = await import('./js/thumbnails/thumbnail-cache.js');
                    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 30 });
                    canvas.getContext('2d').fillRect(0, 0, 40, 30);
                    const data = canvas.toDataURL('image/jpeg').split(',')[1];
                    const picture = { width: 40, height: 30, mediaType: 'image/jpeg', data };
                    const thumbnails = new ThumbnailCache();
                    const cell = new Cell({ thumbnails, describe: () => 'a name', hash: () => null, color: () => '' });
                    document.body.append(cell.element);
                    const shows = async (state) => {
                      for (let turn = 0; turn < 200 && cell.state !== state; turn++) await new Promise(requestAnimationFrame);
                      return [cell.state, [...cell.element.querySelectorAll('img')].filter((image) => image.naturalWidth).length];
                    };
                    const states = [];
                    thumbnails.receive({ ...picture, item: 1, tier: 'preview' });
                    cell.assign(1, true);
                    states.push(await shows('preview'));
                    thumbnails.receive({ ...picture, item: 1, tier: 'full', data: canvas.toDataURL('image/jpeg', 0.5).split(',')[1] });
                    cell.refresh();
                    states.push(await shows('ready'));
                    thumbnails.receive({ ...picture, item: 2, tier: 'preview', data: 'AAAA' });
                    cell.assign(2, true);
                    for (let turn = 0; turn < 200 && thumbnails.get(2); turn++) await new Promise(requestAnimationFrame);
                    states.push(await shows('waiting'));
                    cell.element.remove();
                    return states;
                    """)
                #expect(states == [["preview", 1], ["ready", 1], ["waiting", 0]], "\(states)")
            }
        }

        @Test("one that fails says so, with the picture's name; why on demand", .inEveryBrowser)
        func failed() async throws {
            try await withPage(arguments: ["--failure-rate", "1"], path: "?size=4") { browser, _ in
                try await browser.until("document.querySelectorAll('.problem').length > 3", "failed cells")
                #expect(
                    try await browser.run("return document.querySelectorAll('.cell[data-state=ready]').length;") == 0,
                    "failures of 100 % let something through")
                try await browser.until(
                    "[...document.querySelectorAll('.cell .problem span')].every((name) => /^(?!Picture).* \\d+$/.test(name.textContent))",
                    "the name of each, once it is known")
                let problem = "document.querySelector('.cell .problem')"
                #expect(
                    try await browser.run(
                        "return /^Can’t (load this picture|open this file)$/.test(\(problem).querySelector('b').textContent);"
                    )
                        == true)
                #expect(try await browser.run("return \(problem).querySelector('small').checkVisibility();") == false)
                try await browser.run("\(problem).querySelector('button').click();")
                #expect(try await browser.run("return \(problem).querySelector('small').checkVisibility();") == true)
                #expect(
                    try await browser.run("return \(problem).parentElement.dataset.state;") == "failed",
                    "it was tried again")
            }
        }
    }
}
