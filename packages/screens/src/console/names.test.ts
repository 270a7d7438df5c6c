import { expect, test } from '@jest/globals'
import type { Ask } from '../screen.ts'
import { namedLink, namesIn, readNames } from './names.ts'

const idOf = (prefix: string, number = 0): string =>
  `${prefix}_01m8shxagpa6kxdfz0rd${String(number).padStart(6, '0')}`
const [customer, merchant, partner] = [idOf('pcu'), idOf('cus'), idOf('prt')]

type Call = Readonly<{ subject: string; ids: readonly string[] }>

/** Answers names for every id but those of an unavailable service. @returns the calls too */
const newAsk = (unavailable?: string) => {
  const calls: Call[] = []
  const ask = (async ({ subject }: { subject: string }, { body }: { body: { ids: string[] } }) => {
    calls.push({ subject, ids: body.ids })
    if (subject === unavailable) return { ok: false, code: 'temporarily_unavailable' }
    return { ok: true, value: { names: body.ids.map((id) => ({ id, name: `Name of ${id}` })) } }
  }) as unknown as Ask
  return { ask, calls }
}

test('reads the names of all ids in the data of a page, once each, in a request per service', async () => {
  const { ask, calls } = newAsk()
  const rows = [
    { customer, merchant, other: idOf('ord') },
    { target: `${partner}/1001`, customer, none: null },
  ]
  const names = await readNames({ ask }, rows)
  expect(calls).toEqual([
    { subject: 'onboarding.customers.list-names', ids: [customer, merchant] },
    { subject: 'gateway.partners.list-names', ids: [partner] },
  ])
  expect([...names.keys()]).toEqual([customer, merchant, partner])
})

test('splits more than 100 ids, and asks for nothing if there are none', async () => {
  const { ask, calls } = newAsk()
  await readNames(
    { ask },
    Array.from({ length: 101 }, (_, index) => idOf('pcu', index)),
  )
  expect(calls.map(({ ids }) => ids.length)).toEqual([100, 1])
  expect((await readNames({ ask }, [null, 'pcu_short', {}])).size).toBe(0)
  expect(calls).toHaveLength(2)
})

test('leaves out the names of a service that is unavailable', async () => {
  const { ask } = newAsk('onboarding.customers.list-names')
  expect([...(await readNames({ ask }, [customer, partner])).keys()]).toEqual([partner])
})

test('links a name to the page of its id, and shows the id alone without a name', () => {
  const names = new Map([[customer, 'A <b> & Co']])
  expect(namedLink(customer, names).toString()).toBe(
    `<a href="/console/customers/${customer}">A &lt;b&gt; &amp; Co</a> <code class="hint">${customer}</code>`,
  )
  expect(namedLink(merchant, names).toString()).toContain(`href="/console/merchants/${merchant}"`)
  expect(namedLink(partner, names).toString()).toContain(`href="/console/partners/${partner}"`)
  expect(namesIn(`${merchant}/${customer}`, names)).toBe('A <b> & Co')
  expect(namesIn('run', names)).toBe('')
})
