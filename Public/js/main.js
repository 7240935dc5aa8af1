// The page's main script. Loads after `boot.js` has requested the session.

import { Page } from './page/page.js'

new Page().lazy.open()
