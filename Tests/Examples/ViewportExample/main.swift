import Viewport

let options = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180), lineSpacing: 8)
let layout = makeLayout(options, width: 1200, sections: [0..<100_000])
var model = ViewportModel(layout: layout, viewport: Size(width: 1200, height: 900), policy: .standard)

for frame in 0..<60 {  // a second of scrolling, 3000 px/s
    let plan = model.update(ScrollSample(time: Double(frame) * 16.7, scrollTop: Double(frame) * 50))
    if !plan.prefetch.isEmpty { print("fetch", plan.prefetch) }
    if !plan.cancel.isEmpty { print("cancel", plan.cancel) }
    for item in plan.visible { model.finished(item, as: .ready) }  // as your downloads report
}
