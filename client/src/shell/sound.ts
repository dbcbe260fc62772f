/**
 * A small family of sounds, made on the spot, and the vibrations that go with some of them.
 *
 * They are heard after the first tap, as loud as the player wants. A turn plays them in
 * `table/turn.svelte.ts`, the scenes of a game where they are told.
 */

import { type Settings, settings } from './preferences.svelte'

/** A part of a sound: where it begins, how long it takes, in seconds; how loud it is. */
interface Part {
  at?: number
  length: number
  loud?: number
  /** Seconds until it is loudest; a struck thing is at once. */
  rise?: number
}
/** A note that may glide, and what it is made of. */
interface Note extends Part {
  pitch: number
  to?: number
  wave?: OscillatorType
}
/** Noise through a filter that may move. */
interface Noise extends Part {
  filter: BiquadFilterType
  through: number
  to?: number
  /** How narrow the filter is. */
  narrow?: number
}

const note = (pitch: number, length: number, more: Partial<Note> = {}): Note => ({
  pitch,
  length,
  ...more,
})
const noise = (
  filter: BiquadFilterType,
  through: number,
  length: number,
  more: Partial<Noise> = {},
): Noise => ({ filter, through, length, ...more })
/** A struck bell: its note and two that no string has. */
const bell = (pitch: number, length: number, at = 0, loud = 0.6): Note[] => [
  note(pitch, length, { at, loud }),
  note(pitch * 2.76, length * 0.5, { at, loud: loud * 0.35 }),
  note(pitch * 5.4, length * 0.25, { at, loud: loud * 0.15 }),
]
/** Two pieces of wood, or felt on wood. */
const knock = (pitch: number, length: number, at = 0, loud = 0.9): (Note | Noise)[] => [
  note(pitch, length, { at, loud, to: pitch * 0.7, wave: 'triangle' }),
  noise('bandpass', pitch * 4, length * 0.4, { at, loud: loud * 0.5 }),
]

const SOUNDS = {
  // paper
  card: [noise('bandpass', 2600, 0.09, { to: 4200, loud: 0.7, rise: 0.02 })],
  flip: [
    noise('bandpass', 1500, 0.07, { to: 3600, loud: 0.7, rise: 0.03 }),
    noise('highpass', 3000, 0.05, { at: 0.07, loud: 0.5 }),
  ],
  pencil: [
    ...[0, 0.11, 0.2].map((at) =>
      noise('bandpass', 3400, 0.12, { at, to: 4600, narrow: 3, loud: 0.45, rise: 0.05 }),
    ),
  ],
  ink: knock(240, 0.09, 0, 0.6),
  refuse: [...knock(180, 0.07, 0), ...knock(150, 0.07, 0.08)],
  // what the board answers
  site: bell(1320, 0.35),
  interchange: [
    note(660, 0.14, { loud: 0.6, wave: 'triangle' }),
    note(990, 0.14, { at: 0.07, loud: 0.6, wave: 'triangle' }),
  ],
  round: [
    noise('lowpass', 1800, 0.9, { to: 160, loud: 0.9, rise: 0.25 }),
    ...[0, 0.13, 0.34, 0.47].map((at) => noise('bandpass', 420, 0.05, { at: at + 0.1, loud: 0.6 })),
  ],
  rank: [note(1900, 0.04, { loud: 0.4, wave: 'triangle' })],
  best: [...bell(880, 0.5), ...bell(1109, 0.5, 0.16), ...bell(1319, 0.6, 0.32)],
  bus: [...knock(330, 0.11)],
  points: [note(1047, 0.12, { loud: 0.6 }), note(1397, 0.14, { at: 0.09, loud: 0.6 })],
  // the table
  turn: [...bell(1568, 0.19, 0, 0.5), ...bell(1568, 0.24, 0.14, 0.5)],
  hurry: [note(220, 0.04, { loud: 0.7, wave: 'triangle' })],
  stamp: [note(90, 0.18, { loud: 1, to: 45 }), noise('lowpass', 900, 0.06, { loud: 0.8 })],
  bubble: [note(420, 0.07, { to: 880, loud: 0.6 })],
  sit: [note(240, 0.2, { to: 420, loud: 0.5, wave: 'triangle', rise: 0.04 })],
  leave: [note(420, 0.2, { to: 240, loud: 0.5, wave: 'triangle', rise: 0.04 })],
  finale: [
    ...[311, 392].map((pitch) => note(pitch, 0.6, { loud: 0.35, wave: 'sawtooth', rise: 0.06 })),
    ...[784, 988, 1175, 1568].map((pitch, k) =>
      note(pitch, k < 3 ? 0.26 : 0.5, { at: 0.6 + k * 0.2, loud: 0.5, wave: 'triangle' }),
    ),
  ],
} satisfies Record<string, (Note | Noise)[]>

export type Sound = keyof typeof SOUNDS

/** Milliseconds to vibrate, to pause, to vibrate: what is worth a look at the phone. */
const VIBRATIONS: Partial<Record<Sound, number[]>> = {
  turn: [30, 40, 30],
  refuse: [20],
  stamp: [15],
}

/** −18 dB, and what the player makes of it. */
const GAIN = 0.126
const VOLUMES: Record<Settings['volume'], number> = { off: 0, low: 0.4, medium: 1, high: 2 }
/** So long after a sound the device rests. */
const REST_SECONDS = 3

interface Studio {
  context: AudioContext
  out: GainNode
  hiss: AudioBuffer
}
let studio: Studio | null | undefined
let until = 0 // the time of the context at which the last sound ends
let last = { key: '', at: 0 }
/** What is told twice of one act, by the turn and by its scene, is heard once. */
const ONE_ACT_MS = 200

/** The audio context, created with the first sound; null if the browser has none. */
function opened(): Studio | null {
  if (studio !== undefined) return studio
  try {
    const context = new AudioContext()
    const out = new GainNode(context)
    out.connect(context.destination)
    const hiss = context.createBuffer(1, context.sampleRate, context.sampleRate)
    const samples = hiss.getChannelData(0)
    for (let k = 0; k < samples.length; k++) samples[k] = Math.random() * 2 - 1
    studio = { context, out, hiss }
  } catch {
    studio = null
  }
  return studio
}

/** Lets the device run until a while after the last sound. */
function run(): Promise<void> {
  const { context } = studio!
  const rest = () => {
    if (context.currentTime >= until) void context.suspend()
    else setTimeout(rest, REST_SECONDS * 1000)
  }
  setTimeout(rest, REST_SECONDS * 1000)
  return context.resume()
}

/** Connects one part to the device, its notes raised. */
function perform({ context, out, hiss }: Studio, part: Note | Noise, raise: number): void {
  const { at = 0, length, loud = 1, rise = 0.004 } = part
  const start = context.currentTime + at
  const end = start + length
  const envelope = new GainNode(context, { gain: 0 })
  envelope.gain.setValueAtTime(0, start)
  envelope.gain.linearRampToValueAtTime(loud, start + rise)
  envelope.gain.exponentialRampToValueAtTime(0.001, end)
  envelope.connect(out)
  const glide = (what: AudioParam, to = 0) => to && what.exponentialRampToValueAtTime(to, end)
  let source: AudioScheduledSourceNode
  if ('pitch' in part) {
    const frequency = part.pitch * raise
    const tone = new OscillatorNode(context, { type: part.wave ?? 'sine', frequency })
    glide(tone.frequency, (part.to ?? 0) * raise)
    source = tone
    source.connect(envelope)
  } else {
    const { filter: type, through: frequency, narrow: Q = 1, to } = part
    const filter = new BiquadFilterNode(context, { type, frequency, Q })
    glide(filter.frequency, to)
    source = new AudioBufferSourceNode(context, { buffer: hiss, loop: true })
    source.connect(filter).connect(envelope)
  }
  source.start(start)
  source.stop(end)
  until = Math.max(until, end)
}

/**
 * Plays a sound, unless the player wants none or has not touched the page yet. One of a row may be
 * so many semitones higher than the first.
 */
export function sound(name: Sound, semitones = 0): void {
  if (!navigator.userActivation.hasBeenActive) return
  const key = `${name} ${semitones}`
  const now = performance.now()
  if (key === last.key && now - last.at < ONE_ACT_MS) return
  last = { key, at: now }
  const vibration = VIBRATIONS[name]
  if (vibration && settings.vibration) navigator.vibrate?.(vibration)
  const volume = VOLUMES[settings.volume]
  const device = volume ? opened() : null
  if (!device) return
  device.out.gain.value = GAIN * volume
  const play = () => {
    for (const part of SOUNDS[name]) perform(device, part, 2 ** (semitones / 12))
  }
  if (device.context.state === 'running') play()
  else run().then(play, () => undefined)
}

/** Opens the device with the first tap: some browsers allow it at no other time. */
export function wake(): void {
  if (studio !== undefined || !VOLUMES[settings.volume] || !opened()) return
  run().catch(() => undefined)
}
