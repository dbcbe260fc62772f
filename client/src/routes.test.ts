import { expect, it } from 'vitest'
import { find, routes } from './routes'

const pageOf = (path: string) => {
  const page = find(path)
  return page && [page.route.address, page.parameters]
}

it('finds the page of an address, and its parameters', () => {
  expect(pageOf('/')).toEqual(['/', {}])
  expect(pageOf('/t/ab12')).toEqual(['/t/{id:str}', { id: 'ab12' }])
  expect(pageOf('/replay/12/open')).toEqual([
    '/replay/{moment:int}/{who:str}',
    { moment: '12', who: 'open' },
  ])
  expect(pageOf('/u/Zo%C3%A9%20B')).toEqual(['/u/{name:str}', { name: 'Zoé B' }])
})

it('finds nothing where no page is', () => {
  for (const path of ['/nowhere', '/t', '/t/a/b', '/today/soon', '/replay/x', '/u/%', '/about/'])
    expect(find(path), path).toBeNull()
})

it('has every address once', () => {
  expect(new Set(routes.map((route) => route.address)).size).toBe(routes.length)
})
