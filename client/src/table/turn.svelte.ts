/** One turn at the page, the same in every game: whose it is, the draft, what the server says. */

import { untrack } from 'svelte'
import { announce } from '../shell/announce.svelte'
import { type Confirm, settings } from '../shell/preferences.svelte'
import { type Sound, sound } from '../shell/sound'
import { reasonOf, say } from '../shell/texts.svelte'
import { Hints } from './hints.svelte'
import { seatName } from './names'
import { inCompany } from './presence'
import type { TableSource } from './source'

/** What somebody points with. */
export type Means = 'mouse' | 'touch' | 'pen' | 'key'

/** The part of a game's view that every game has. */
interface GameView {
  actors: number[]
  finished: boolean
}

/** What a game says about its turns. */
export interface TurnRules<Draft> {
  /** Names the decision that the seat has to make. Drafts and answers belong to one decision. */
  moment: () => string
  /** The draft with which a decision begins. */
  fresh: () => Draft
  /** Whether a draft has anything in it to take back. */
  begun: (draft: Draft) => boolean
  /** The draft without that. */
  emptied: (draft: Draft) => Draft
  /** At one screen: whether the seat's things stay covered until its holder takes over. */
  covers: () => boolean
  /** Whether a seat's last move showed it something that it has to see before the next player. */
  learned: (seat: number) => boolean
  /** Whether the page shows something else first, like the counting of a round. */
  paused: () => boolean
  /** What a screen reader hears when the seat has to decide. */
  opening: () => string[]
  /** Puts the focus on the board, at the beginning of a turn or after something was taken back. */
  focus: (why: 'turn' | 'back') => void
  /** What is heard when the turn begins, when something is drafted, when a move is made. */
  sounds: { opening: Sound; drafted: Sound; made: Sound }
}

/** What the page says about something that was asked or refused. */
interface Reply {
  text: string
  about: string
  /** Whether it stays until the player does something. */
  stays: boolean
}
const SILENT = { moment: '', text: '', about: '', stays: false }

/** A second tap confirms, but not sooner than this: a trembling finger is no second tap. */
const SECOND_TAP_MS = 400

/** The seat that the screen shows: who took it over, else who has to move, else the first one. */
export function seatOnScreen(
  mine: readonly number[],
  waiting: readonly number[],
  ready: number | null,
): number {
  if (ready !== null && waiting.includes(ready)) return ready
  return waiting[0] ?? ready ?? mine[0] ?? -1
}

/** Whether a drafted move is sent without being confirmed. */
export const sentAtOnce = (confirm: Confirm, means: Means): boolean =>
  confirm === 'never' || (confirm === 'touch' && means !== 'touch')

/** What every game's turn can tell and do, whatever its drafts are. */
export type AnyTurn = Pick<Turn<GameView, unknown>, keyof Turn<GameView, unknown>>

export class Turn<View extends GameView, Draft> {
  means: Means = 'mouse'
  readonly hints: Hints
  sending = $state(false)

  private ready: number | null = $state(null) // who has taken the screen over
  private kept: { moment: string; draft: Draft } | null = $state.raw(null)
  private said: Reply & { moment: string } = $state.raw(SILENT)
  private question = 0 // counts what was asked or planned, so that a late answer is noticed
  private draftedAt = 0
  private opened = '' // the moment whose opening was announced
  private read = Infinity // the first line of the log that is news; none of before the page is

  constructor(
    readonly source: TableSource,
    private readonly rules: TurnRules<Draft>,
  ) {
    this.hints = new Hints()
    $effect(() => {
      if (this.moment === this.opened || !this.acting) return
      this.opened = this.moment
      untrack(() => this.open())
    })
  }

  // --- whose turn it is

  get table() {
    return this.source.table!
  }
  /** The views of this browser's seats; the game that made this turn knows their type. */
  private get viewBySeat() {
    return this.table.views as unknown as Record<string, View>
  }
  readonly views = $derived.by(() => Object.values(this.viewBySeat))
  /** The seats of this browser. */
  readonly mine = $derived.by(() => this.table.seats.flatMap((s) => (s.mine ? [s.seat] : [])))
  /** Those of them that have to move. */
  readonly waiting = $derived.by(() =>
    this.mine.filter((seat) => this.views[0]!.actors.includes(seat)),
  )
  /**
   * Who has to move next at this screen while who has moved keeps it, to see what the move brought;
   * null if nobody waits for that.
   */
  readonly next = $derived.by(() => {
    const { ready, waiting, mine } = this
    if (ready === null || mine.length < 2 || waiting.includes(ready)) return null
    return this.rules.learned(ready) ? (waiting[0] ?? null) : null
  })
  /** The seat on the screen; -1 for a spectator. */
  readonly seat = $derived.by(() =>
    this.next !== null ? this.ready! : seatOnScreen(this.mine, this.waiting, this.ready),
  )
  readonly view = $derived.by(() => this.viewBySeat[`${this.seat}`] ?? this.views[0]!)
  readonly legal = $derived.by(() => this.table.legal[`${this.seat}`] ?? [])
  /** Whether the screen waits for the holder of the seat. */
  readonly covered = $derived.by(
    () => this.mine.length > 1 && this.ready !== this.seat && this.rules.covers(),
  )
  readonly acting = $derived.by(
    () =>
      this.waiting.includes(this.seat) && !this.sending && !this.covered && !this.rules.paused(),
  )
  /** The name at the seat, where several people share the screen. */
  get name(): string {
    return this.mine.length > 1 ? seatName(this.table, this.seat) : ''
  }

  /** The holder of the seat has taken the screen over. */
  takeOver(): void {
    this.ready = this.seat
    if (this.means === 'key') requestAnimationFrame(() => this.rules.focus('turn'))
  }

  /** Who has moved has seen enough; the screen is covered for the next player. */
  handOver(): void {
    this.ready = null
  }

  // --- the draft

  readonly moment = $derived.by(() => this.rules.moment())
  readonly draft = $derived.by(() =>
    this.kept?.moment === this.moment ? this.kept.draft : this.rules.fresh(),
  )

  /** Changes the draft; what was answered before does not belong to it. */
  plan(draft: Draft): void {
    this.kept = { moment: this.moment, draft }
    this.question++
    this.said = SILENT
  }

  /** Drafts a move, to be confirmed. */
  propose(draft: Draft, sentence: string): void {
    this.plan(draft)
    this.draftedAt = Date.now()
    sound(this.rules.sounds.drafted)
    announce(sentence)
  }

  /** Whether a drafted move is sent without being confirmed. */
  get atOnce(): boolean {
    return this.source.kind === 'paper' || sentAtOnce(settings.confirm, this.means)
  }

  /**
   * Whether picking the drafted move again confirms it: always by the keyboard, and by a second
   * tap unless every move is to be confirmed with the button.
   */
  get confirmsAgain(): boolean {
    if (this.means === 'key') return true
    return settings.confirm !== 'always' && Date.now() - this.draftedAt > SECOND_TAP_MS
  }

  // --- what the server says

  /** Why something cannot be done. */
  get answer(): string {
    return this.said.moment === this.moment ? this.said.text : ''
  }
  /** What the answer is about. */
  get refused(): string {
    return this.said.moment === this.moment ? this.said.about : ''
  }

  /** The last answer of this moment: another object for each one. */
  get reply(): Reply | null {
    return this.said.moment === this.moment ? this.said : null
  }

  /** Shows a sentence of this moment and announces it; a question `stays` until it is answered. */
  tell(text: string, about = '', stays = false): void {
    this.said = { moment: this.moment, text, about, stays }
    announce(text)
  }

  /** Asks why a move cannot be made. An answer is dropped if anything was planned meanwhile. */
  async explain(draft: Draft, move: string, about = ''): Promise<void> {
    this.plan(draft)
    this.said = { moment: this.moment, text: '', about, stays: false }
    const [moment, question] = [this.moment, this.question]
    const text = await this.source.why(this.seat, move).then((why) => why.sentence ?? '', reasonOf)
    if (moment !== this.moment || question !== this.question) return
    sound('refuse')
    this.tell(text, about)
  }

  async send(move: string | null): Promise<void> {
    if (!move || this.sending) return
    this.sending = true
    try {
      await this.source.move(this.seat, move)
      this.kept = null
      sound(this.rules.sounds.made)
    } catch (error) {
      sound('refuse')
      this.tell(reasonOf(error))
    } finally {
      this.sending = false
    }
  }

  // --- taking back

  private get begun(): boolean {
    return this.acting && this.rules.begun(this.draft)
  }
  private get canUndo(): boolean {
    const { can_undo, asked_undo } = this.table
    return !!can_undo[`${this.seat}`] && !asked_undo && !this.sending && !this.covered
  }
  /** Whether taking back is a request that others have to allow. */
  get asksToUndo(): boolean {
    return !this.begun && inCompany(this.table.seats)
  }
  get canTakeBack(): boolean {
    return this.begun || this.canUndo
  }

  /** Takes the draft back, or else the last move, or says why there is nothing to take back. */
  async takeBack(): Promise<void> {
    if (!this.canTakeBack) this.tell(say('web.nothing_to_undo'))
    else if (this.begun) this.plan(this.rules.emptied(this.draft))
    else await this.source.undo(this.seat).catch((e) => this.tell(reasonOf(e)))
    if (this.means === 'key') this.rules.focus('back')
  }

  // --- hints

  /** The best move, if a hint was asked for. */
  readonly hinted = $derived.by(() => (this.acting ? this.hints.best(this.moment) : null))
  /** Asks for a hint; undefined where there are none. */
  readonly askHint = $derived.by(() =>
    this.hints.offered(this.table)
      ? () => void this.hints.ask(this.table.id, this.seat, this.moment)
      : undefined,
  )

  // --- what is heard

  private open(): void {
    sound(this.rules.sounds.opening)
    announce(...this.rules.opening())
    if (this.means === 'key' && !document.querySelector('dialog:modal')) this.rules.focus('turn')
  }

  /** What the others did since this was asked last. */
  news(lines: readonly { number: number; seat: number; text: string }[]): string {
    const fresh = lines.filter((line) => line.number >= this.read && line.seat >= 0)
    this.read = (this.table.log.at(-1)?.number ?? -1) + 1
    return fresh
      .filter((line) => line.seat !== this.seat)
      .map(({ seat, text }) =>
        say('web.heard_move', { name: seatName(this.table, seat), move: text }),
      )
      .join(' ')
  }

  // --- pointers, wherever on the page; the keys are in `table/keys.ts`

  pointerdown = (event: PointerEvent): void => {
    this.means = event.pointerType as Means
  }
}
