/** Who asks: the guest or the account of this browser. The frame asks; every page may read it. */

import { createContext } from 'svelte'
import type { Me } from '../api/schema'
import type { Asked } from './asked.svelte'

export const [meHere, setMe] = createContext<Asked<Me>>()
