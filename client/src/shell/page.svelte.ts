/** What the frame around every page shows. */

export const page = $state({ title: '', badge: '', lost: false })
