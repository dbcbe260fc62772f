import { mount } from 'svelte'
import 'palette:pictures.css'
import 'palette:pages.css'
import './typeface.css'
import './app.css'
import './shared.css'
import App from './App.svelte'
import { find } from './routes'
import { keep } from './shell/app.svelte'
import { pathOf } from './shell/folder'
import { speakChosen } from './shell/texts.svelte'

// The page's file comes at the same time as the texts; App says what is lost.
void find(pathOf(location.pathname))
  ?.route.load()
  .catch(() => undefined)
await speakChosen().catch(() => undefined) // without its texts the page says that it waits
mount(App, { target: document.body })
// After the page itself: what is kept for later must not make the first visit slower.
if (document.readyState === 'complete') void keep()
else addEventListener('load', () => void keep())
