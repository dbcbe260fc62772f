import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { settings } from './shell/settings.svelte'
import { speak } from './shell/texts.svelte'

await speak(settings.lang).catch(() => undefined) // without its texts the page says that it waits
mount(App, { target: document.body })
