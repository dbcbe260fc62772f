import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { keep } from './shell/app.svelte'
import { settings } from './shell/settings.svelte'
import { speak } from './shell/texts.svelte'

await speak(settings.lang).catch(() => undefined) // without its texts the page says that it waits
mount(App, { target: document.body })
// After the page itself: what is kept for later must not make the first visit slower.
if (document.readyState === 'complete') void keep()
else addEventListener('load', () => void keep())
