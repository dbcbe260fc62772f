import { beforeEach, expect, it, vi } from 'vitest'

/** What a device would be asked to play: the times and the pitches of all parts. */
interface Played {
  kind: string
  frequency: number
  from: number
  to: number
}
let played: Played[]
let devices: number
let buzzed: number[][]
let touched: { hasBeenActive: boolean }

class Param {
  value = 0
  setValueAtTime() {}
  linearRampToValueAtTime() {}
  exponentialRampToValueAtTime() {}
}
class Node {
  gain = new Param()
  frequency = new Param()
  private from = 0
  constructor(
    private readonly kind: string,
    private readonly options: { frequency?: number } = {},
  ) {}
  connect(to: unknown) {
    return to
  }
  start(at: number) {
    this.from = at
  }
  stop(to: number) {
    const { kind, from } = this
    played.push({ kind, frequency: this.options.frequency ?? 0, from, to })
  }
}
class Context {
  state = 'suspended'
  currentTime = 10
  sampleRate = 8
  constructor() {
    devices++
  }
  createBuffer = () => ({ getChannelData: () => new Float32Array(8) })
  suspend = () => Promise.resolve(void (this.state = 'suspended'))
  resume = () => Promise.resolve(void (this.state = 'running'))
}
const node = (kind: string) =>
  function (_: Context, options?: { frequency?: number }) {
    return new Node(kind, options)
  }

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  played = []
  buzzed = []
  devices = 0
  vi.stubGlobal('AudioContext', Context)
  for (const kind of ['Gain', 'Oscillator', 'BiquadFilter', 'AudioBufferSource'])
    vi.stubGlobal(`${kind}Node`, node(kind))
  vi.stubGlobal('navigator', {
    userActivation: (touched = { hasBeenActive: true }),
    vibrate: (pattern: number[]) => buzzed.push(pattern),
  })
})

const fresh = async () => ({
  ...(await import('./sound')),
  settings: (await import('./preferences.svelte')).settings,
})

it('waits for the first touch and makes no device for who wants no sound', async () => {
  const { sound, wake, settings } = await fresh()
  touched.hasBeenActive = false
  sound('turn')
  expect([devices, buzzed]).toEqual([0, []])
  touched.hasBeenActive = true
  Object.assign(settings, { volume: 'off', vibration: false })
  wake()
  sound('turn')
  expect([devices, buzzed]).toEqual([0, []])
})

it('plays every part of a sound, after the device woke up, and lets it rest', async () => {
  const { sound } = await fresh()
  sound('turn')
  expect(played).toEqual([])
  await vi.advanceTimersByTimeAsync(0)
  expect(played.map(({ kind }) => kind)).toEqual(Array(6).fill('Oscillator'))
  expect(Math.min(...played.map(({ from }) => from))).toBe(10)
  expect(buzzed).toEqual([[30, 40, 30]])
  sound('card')
  expect(played.at(-1)?.kind).toBe('AudioBufferSource')
  expect(devices).toBe(1)
})

it('raises one of a row by semitones', async () => {
  const { sound } = await fresh()
  sound('rank')
  sound('rank', 12)
  await vi.advanceTimersByTimeAsync(0)
  const [low, high] = played.map(({ frequency }) => frequency).sort((a, b) => a - b)
  expect(high! / low!).toBeCloseTo(2)
})
