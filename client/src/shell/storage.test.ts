import { afterEach, expect, it, vi } from 'vitest'
import { Store } from './storage'

/** A browser's storage with room for a given number of characters. */
function storage(room: number): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      if (text.length > room) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, text)
    },
    removeItem: (key) => void kept.delete(key),
  }
}
function forbid(): void {
  vi.stubGlobal('localStorage', undefined) // so that it is put back
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('forbidden', 'SecurityError')
    },
  })
}

afterEach(() => vi.unstubAllGlobals())

it('keeps what the browser takes for the next page', () => {
  vi.stubGlobal('localStorage', storage(100))
  expect(new Store('localStorage').write('a', 'short')).toBe(true)
  expect(new Store('localStorage').read('a')).toBe('short')
})

it('remembers what does not fit, and prefers it to what was kept before', () => {
  vi.stubGlobal('localStorage', storage(10))
  const store = new Store('localStorage')
  store.write('a', 'short')
  expect(store.write('a', 'too long for it')).toBe(false)
  expect(store.read('a')).toBe('too long for it')
  expect(new Store('localStorage').read('a')).toBe('short')
  expect(store.write('a', 'fits again')).toBe(true)
  expect(store.read('a')).toBe('fits again')
  store.remove('a')
  expect(store.read('a')).toBeNull()
})

it('works where storage is forbidden', () => {
  forbid()
  const store = new Store('localStorage')
  expect(store.read('a')).toBeNull()
  expect(store.writeJson('a', { b: 1 })).toBe(false)
  expect(store.readJson('a')).toEqual({ b: 1 })
  store.remove('a')
  expect(store.readJson('a')).toBeNull()
})

it('takes nonsense for nothing', () => {
  vi.stubGlobal('localStorage', storage(100))
  const store = new Store('localStorage')
  store.write('a', '{"b":')
  expect(store.readJson('a')).toBeNull()
})
