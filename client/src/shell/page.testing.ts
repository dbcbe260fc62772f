/** What modules of the page ask for when they are loaded, for tests: there is no window there. */

import { vi } from 'vitest'

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('document', { documentElement: { lang: 'en', dataset: {} } })
vi.stubGlobal('navigator', { userActivation: { hasBeenActive: false } })
