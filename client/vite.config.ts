import { brotliCompressSync } from 'node:zlib'
import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'
import { runnerImport, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { media, palette } from './palette'

const WORKER = 'worker.js' // at the root: it may only serve what lies below it
const ROUTES = 'routes.json' // for the server only
const OF_SERVER = ['', 'icons/any.svg'] // what belongs to the page and is not built here

/** Matches modules by parts of their paths. */
const within = (...paths: string[]) => new RegExp(paths.join('|').replaceAll('/', '[\\/]'))
/** What surrounds every page. */
const FRAME = within(
  'preload-helper',
  'node_modules/(svelte|esm-env|openapi-fetch)/',
  'src/(api|shell)/(?!Rules)',
  'src/people/(BusFront|Face|faces)\\.',
)
/** Small modules that several pages share. */
const SHARED = within(
  'src/games/(MoveTags|pointing|registry)',
  'src/games/nextstation/ending/standing\\.',
  'src/home/(MapNote|Modules|Names)',
  'src/learn/(learned|lesson)\\.',
  'src/people/(Field|MyName|calling)\\.',
  'src/table/(PickSelect|clock|facts|names|time)\\.',
  'src/today/(Begin|share)',
)
/** What home alone needs. */
const SHELF = within('src/home/', 'src/people/(Challenges|Played)')

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest).slice(0, 6), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Tells the service worker which files this build has. */
const shell = (): Plugin => ({
  name: 'shell',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const apart = [WORKER, ROUTES, 'index.html']
      const built = Object.keys(bundle).filter((name) => !apart.includes(name))
      const page = bundle['index.html']
      const worker = bundle[WORKER]
      if (page?.type !== 'asset' || worker?.type !== 'chunk')
        this.error('the page or its worker is missing')
      const files = [...OF_SERVER, ...built].map((name) => `/${name}`).sort()
      // The page names its files by their hashes, so it changes when any of them does.
      const name = await hash(`${page.source.toString()} ${files.join()} ${worker.code}`)
      worker.code = worker.code.replace('BUILD', () => `(${JSON.stringify({ name, files })})`)
    },
  },
})

/** Packs files as small as they get; the server sends them so to browsers that can unpack them. */
const packed = (): Plugin => ({
  name: 'packed',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const [fileName, file] of Object.entries(bundle))
        if (/^assets.*\.(js|css|svg)$/.test(fileName)) {
          const source = brotliCompressSync(file.type === 'chunk' ? file.code : file.source)
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source })
        }
    },
  },
})

/** Tells the server which addresses are pages. */
const addresses = (): Plugin => ({
  name: 'addresses',
  apply: 'build',
  async generateBundle() {
    const { module } = await runnerImport<typeof import('./src/routes')>('./src/routes.ts')
    const source = JSON.stringify(module.routes.map((route) => route.address))
    this.emitFile({ type: 'asset', fileName: ROUTES, source })
  },
})

/** Puts the folder of the host into links, which begin at our root: `href="/today"`. */
const links = {
  name: 'links',
  markup({ content }: { content: string }) {
    const code = content.replace(/(\s(?:href|src)=")\/(?!\/)/g, '$1{FOLDER}/')
    if (code === content) return { code }
    const named = "import { folder as FOLDER } from '/src/shell/folder'\n"
    const script = /<script(?![^>]*\bmodule\b)[^>]*>\n/
    return {
      code: script.test(code)
        ? code.replace(script, (tag) => tag + named)
        : `<script lang="ts">\n${named}</script>\n${code}`,
    }
  },
}

export default defineConfig({
  plugins: [
    svelte({ preprocess: [links, vitePreprocess()] }),
    palette(),
    media(),
    addresses(),
    shell(),
    packed(),
  ],
  // Files name each other by what is between them: only the page knows the folder of the host.
  experimental: {
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/${name}` : { relative: true }),
  },
  build: {
    outDir: '../src/headway/server/static',
    emptyOutDir: true,
    // The browsers that know light-dark(), dvh and native dialogs, which the styles rely on.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0, // the content security policy allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'src/serviceWorker.ts'],
      output: {
        entryFileNames: (chunk) =>
          chunk.name === 'serviceWorker' ? WORKER : 'assets/[name]-[hash].js',
        // What every page needs comes as one file, and a page's smaller parts with the page.
        codeSplitting: {
          groups: [
            { name: 'frame', test: FRAME, priority: 2 },
            { name: 'pages', test: SHARED, priority: 1 },
            { name: 'shelf', test: SHELF },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '^/(api|icons|health|manifest)': { target: 'http://127.0.0.1:8000', ws: true } },
  },
  test: { include: ['src/**/*.test.ts'], setupFiles: ['src/shell/page.testing.ts'] },
})
