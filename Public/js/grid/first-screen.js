// The first screen, drawn while the rest of the page's code is on its way: the cells of a grid's beginning with the titles of
// their sections, the scrubber beside them, and the pictures that come meanwhile. The page goes on with them.

import { GridLayout } from '../layout/grid-layout.js'
import { normalized } from '../layout/sections.js'
import { Scrubber } from '../scrubber/scrubber.js'
import { Placeholders } from '../thumbnails/placeholders.js'
import { ThumbnailCache } from '../thumbnails/thumbnail-cache.js'
import { Grid } from './grid.js'
import { SectionHeaders } from './section-headers.js'

const byId = (/** @type {string} */ id) => document.getElementById(id)

export class FirstScreen {
  thumbnails = new ThumbnailCache()
  placeholders = new Placeholders()
  layout
  grid
  sectionHeaders
  scrubber

  /** `options`: the `layout` of the API, of kind grid, for a viewport of `width` and `height`; `room` as the scrubber takes it. */
  constructor(gallery, options, { width, height }, room) {
    const { sections, itemCount } = gallery
    const still = /** @type {any} */ ({ element: byId('scroller'), top: 0, height, origin: 0, limit: 0 }) // the scroller is not there yet
    this.layout = new GridLayout(options, width, normalized(sections, itemCount), itemCount)
    this.grid = new Grid(byId('grid'), still, {
      thumbnails: this.thumbnails, describe: () => '', hash: (item) => this.placeholders.hash(item), color: () => '', recycling: () => {},
    })
    this.placeholders.came = (range) => this.grid.learn(range)
    this.placeholders.begin(gallery)
    this.placeholders.want(this.layout.items(0, height))
    this.sectionHeaders = new SectionHeaders(byId('headers'), byId('stuck'), still)
    this.scrubber = new Scrubber(byId('scrubber'), still, () => {}, room)
    byId('sizer').style.height = `${height}px` // nothing scrolls before the page can follow
    this.grid.setLayout(this.layout)
    this.grid.render()
    this.sectionHeaders.setLayout(this.layout)
    this.sectionHeaders.render()
    this.scrubber.begin(gallery)
    this.scrubber.setLayout(this.layout)
  }

  received(picture) {
    this.thumbnails.receive(picture)
    this.placeholders.learn(picture.item, picture.thumbHash)
    this.grid.arrived(picture.item)
  }
}
