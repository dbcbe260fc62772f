/** Copies a text; whether the browser let us. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers have a clipboard on secure pages only: https, or this machine.
  const clipboard = navigator.clipboard as Clipboard | undefined
  const done = await clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  return done || copySelected(text)
}

/** The older way: selects the text in a field that nobody sees. */
function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'hidden'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
