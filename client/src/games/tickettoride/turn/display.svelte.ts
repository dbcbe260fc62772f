/** The face-up cards as they lie on this screen. */

/**
 * A move names a card by its colour alone, so of two alike cards the server may replace the other
 * one. This keeps them where the player sees them: the card that was picked is the one that goes.
 */
export class Display {
  private order: number[] = $state.raw([]) // the server's slot at each place of the screen
  private taken: { place: number; before: readonly (string | null)[] } | null = null

  constructor(private readonly slots: () => readonly (string | null)[]) {
    $effect.pre(() => this.settle(slots()))
  }

  readonly cards = $derived.by(() => {
    const slots = this.slots()
    return slots.map((_, place) => slots[this.order[place] ?? place] ?? null)
  })

  /** The card at a place of the screen is taken; what comes in its stead comes there. */
  take(place: number): void {
    this.taken = { place, before: this.slots() }
  }

  private settle(slots: readonly (string | null)[]): void {
    const { taken } = this
    if (!taken || taken.before === slots) return
    const order = slots.map((_, place) => this.order[place] ?? place)
    const from = order[taken.place]!
    const changed = taken.before.flatMap((card, slot) => (card !== slots[slot] ? [slot] : []))
    // Only one slot changes, unless too many buses lie open and all cards are replaced.
    const [slot] = changed
    if (changed.length === 1 && slot !== from && taken.before[slot!] === taken.before[from]) {
      order[order.indexOf(slot!)] = from
      order[taken.place] = slot!
      this.order = order
    }
    this.taken = null
  }
}
