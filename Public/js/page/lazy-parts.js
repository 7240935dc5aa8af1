// The parts of the page that the first screen can do without: each is loaded when it is first wanted, and all of them once
// the gallery has been asked for.

import { toggleFullScreen } from '../header/header.js'
import { parameter, setParameters } from './address-bar.js'
import { LazyPart } from './lazy-part.js'

const byId = (id) => document.getElementById(id)

/**
 * `gallery()`, `items()`, `connection()` and `sender()` are the page's now; `still()`: the person wants no motion; `say(text)` speaks
 * politely; `viewed(item)` hears which picture was seen last when the viewer closes.
 */
export function lazyParts({ grid, thumbnails, scroller, scrubber, pageLayout, prefetchState, visible, gallery, items, connection, sender, say, still, viewed }) {
  const dashboard = new LazyPart(async () => {
    const { Dashboard } = await import('../dashboard/dashboard.js')
    return new Dashboard(byId('dashboard'), byId('dashboard-toggle'), byId('status'), grid, () =>
      pageLayout.layout && { layout: pageLayout.layout, scroller, thumbnails, prefetchState, visible: visible(), itemCount: gallery().itemCount }, () => connection().path)
  })
  const viewer = new LazyPart(async () => {
    const { Viewer } = await import('../viewer/viewer.js')
    const loaded = new Viewer(byId('viewer'), { thumbnails, say, closed: viewed, shown: (item, way) => hints.now?.viewing(item, way) })
    if (gallery()) loaded.begin(gallery(), items())
    return loaded
  })
  const sharing = new LazyPart(async () => {
    const { ScrollSharing } = await import('../sharing/scroll-sharing.js')
    const loaded = new ScrollSharing({ scroller, connection: connection(), layout: () => pageLayout.layout, gallery, still, say })
    if (pageLayout.layout) loaded.laidOut(pageLayout, gallery())
    return loaded
  })

  const hints = new LazyPart(async () => {
    const { Hints } = await import('../scroll/hints.js')
    return new Hints({
      scroller, scrubber,
      /** The server hears of it with the next position, or with this one. */
      tell(hint) {
        if (!pageLayout.layout || !connection().session) return
        sender().hint(hint, pageLayout.moving ? null : { time: performance.now(), scrollTop: scroller.top, phase: 'idle' })
        sharing.now?.foresaw(hint)
      },
    })
  })

  const openRace = () => sharing.get().then((loaded) => loaded.openRace())
  /** The same scroll once more, with prefetching and without: on a line of their own, beside each other. */
  const compare = document.querySelector('[data-part="compare"]')
  compare.addEventListener('click', () => {
    setParameters({ race: 'lookahead:off,lookahead', trace: 'recorded' })
    openRace()
  })
  const toggleDashboard = () => dashboard.get().then((loaded) => loaded.toggle())
  byId('dashboard-toggle').addEventListener('click', toggleDashboard)
  byId('race-open').addEventListener('click', openRace)
  addEventListener('keydown', (event) => {
    const isField = event.target.closest?.('select, dialog, input:not([type=radio], [type=range], [type=checkbox])')
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'd') toggleDashboard()
    else if (event.key === 'f') toggleFullScreen()
    else if (event.key === '?') import('../keys/sheet.js').then(({ toggleKeys }) => toggleKeys(byId('keys')))
  })

  /** Opens the gallery, or the race that the address names. */
  async function open() {
    if (parameter('dashboard') !== null) await toggleDashboard().catch(() => {}) // it takes room from the pictures
    if (parameter('race') === null) connection().open()
    else openRace().catch(() => connection().open())
    import('../print/print.js').then(({ preparePrinting }) => preparePrinting(byId('print'), () =>
      pageLayout.layout && { gallery: gallery(), items: items(), thumbnails, inSight: pageLayout.inSight(), sections: pageLayout.sections })).catch(() => {})
    import('../galleries/switcher.js').then(({ offerGalleries }) => offerGalleries(byId('galleries-open'), byId('galleries'), gallery)).catch(() => {})
    for (const part of [hints, sharing, viewer, dashboard]) part.get().catch(() => {}) // tried again when it is wanted
  }

  return { sharing, dashboard, viewer, open }
}
