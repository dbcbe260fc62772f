/**
 * Small sounds, made on the spot; silent unless the player wants them.
 *
 * A turn plays them in `table/turn.svelte.ts`, the counting of a game in its `ending/`.
 */

import { settings } from './preferences.svelte'

const NOTES = {
  tick: [660, 0.05],
  done: [880, 0.09],
  card: [330, 0.07],
  round: [523, 0.3],
} as const

let context: AudioContext | undefined

export function sound(name: keyof typeof NOTES): void {
  if (!settings.sound || !navigator.userActivation.hasBeenActive) return
  context ??= new AudioContext()
  const [pitch, length] = NOTES[name]
  const at = context.currentTime
  const tone = new OscillatorNode(context, { type: 'triangle', frequency: pitch })
  const volume = new GainNode(context, { gain: 0.12 })
  volume.gain.exponentialRampToValueAtTime(0.001, at + length)
  tone.connect(volume).connect(context.destination)
  tone.start(at)
  tone.stop(at + length)
}
