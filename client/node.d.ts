/** What the build and its tests use of Node. */

declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: 'utf-8'): string
}
declare module 'node:zlib' {
  export function brotliCompressSync(content: string | Uint8Array): Uint8Array<ArrayBuffer>
}
