/**
 * What this browser keeps for us. Nothing breaks where storage is full or forbidden: values then
 * last as long as the page is open.
 */

type Area = 'localStorage' | 'sessionStorage'

export class Store {
  /** What the browser did not take. */
  private readonly unsaved = new Map<string, string>()

  constructor(private readonly area: Area) {}

  read(key: string): string | null {
    const unsaved = this.unsaved.get(key)
    if (unsaved !== undefined) return unsaved
    try {
      return globalThis[this.area].getItem(key)
    } catch {
      return null
    }
  }

  /** Returns whether the value outlasts the page. */
  write(key: string, text: string): boolean {
    try {
      globalThis[this.area].setItem(key, text)
      this.unsaved.delete(key)
      return true
    } catch {
      this.unsaved.set(key, text)
      return false
    }
  }

  remove(key: string): void {
    this.unsaved.delete(key)
    try {
      globalThis[this.area].removeItem(key)
    } catch {
      // Nothing is kept there.
    }
  }

  /** A value that was written as JSON; null if it is missing or cannot be read. */
  readJson(key: string): unknown {
    try {
      return JSON.parse(this.read(key) ?? 'null')
    } catch {
      return null
    }
  }

  writeJson(key: string, value: unknown): boolean {
    return this.write(key, JSON.stringify(value))
  }
}

/** Kept until somebody clears it. */
export const lasting = new Store('localStorage')
/** Kept while the window is open. */
export const passing = new Store('sessionStorage')

/** The record that pages without a table show, in `passing`. */
export const RECORD = 'headway-record'
