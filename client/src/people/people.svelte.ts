/** People I have played with, who challenges me, whom I avoid. */

import * as server from '../api/server'
import type { People } from '../api/schema'

export const known: { people: People | undefined } = $state({ people: undefined })

export async function loadPeople(): Promise<void> {
  known.people = await server.people().catch(() => known.people)
}
