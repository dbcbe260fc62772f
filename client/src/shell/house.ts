/** What the host has chosen, as the server writes it into the page. */

const said = document.documentElement.dataset

export const house = {
  /** What the server is called; empty for Headway. */
  name: said.name ?? '',
  /** Who may come in: everybody, or only people with an account, who may need an invitation. */
  entry: (said.entry ?? 'open') as 'open' | 'account' | 'invite',
  /** Names of the texts that the host has added: imprint, contact, privacy. */
  pages: (said.pages ?? '').split(' ').filter(Boolean) as ('imprint' | 'contact' | 'privacy')[],
}
