/** The result of a deal of the day as a few symbols and words: no card, no move, no map. */

import type { DailyDeal } from '../api/schema'
import { figure, say } from '../shell/texts.svelte'

/** Statistics say something from this many results on. */
export const ENOUGH = 5

/** How many of ten others have less. */
export function symbols(better: number | null): string {
  const full = better === null ? 10 : Math.round(better / 10)
  return '▰'.repeat(full) + '▱'.repeat(10 - full)
}

export function dayName(day: string, locale: string, month: 'short' | 'long' = 'short'): string {
  const form = new Intl.DateTimeFormat(locale, { day: 'numeric', month, timeZone: 'UTC' })
  return form.format(new Date(`${day}T12:00Z`))
}

export function shared(deal: DailyDeal, title: string, date: string, streak: number): string {
  const parts = ['Headway', title, date, figure(deal.total ?? 0)]
  const enough = deal.results >= ENOUGH
  if (deal.better !== null && enough) parts.push(say('web.today.better', { percent: deal.better }))
  if (streak > 1) parts.push(say('web.today.in_a_row', { n: streak }))
  return [parts.join(' · '), ...(enough ? [symbols(deal.better)] : [])].join('\n')
}

/** Hours and minutes until a moment, none once it has passed. */
export function left(seconds: number): { hours: number; minutes: number } {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
