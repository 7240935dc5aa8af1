// The page's own script, loaded once the session has been asked for.

import { Page } from './page/page.js'

new Page().lazy.open()
