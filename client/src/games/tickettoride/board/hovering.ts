/**
 * Listeners for what the board shows while it is pointed at, with a mouse or the keyboard.
 * A finger cannot stop pointing: it presses.
 */
export const hovering = (show: (on: boolean) => void) => ({
  onpointerenter: (event: PointerEvent) => event.pointerType === 'mouse' && show(true),
  onpointerleave: (event: PointerEvent) => event.pointerType === 'mouse' && show(false),
  onfocus: (event: FocusEvent) =>
    (event.currentTarget as Element).matches(':focus-visible') && show(true),
  onblur: () => show(false),
})
