import { expect, test } from '@jest/globals'
import { pathOf, SCREENS, screensOf } from '../table.ts'
import { formTokenOf } from '../visitors.ts'
import { formOf } from './forms.ts'
import { faultsOf, newLink, STALE, stalenessOf, tokenOf, type Fixture, type Parties } from './parties.ts'

/** Headers of a form that a page of another site sends. */
const ELSEWHERE: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://elsewhere.example' },
]

type Forgery = Readonly<{ formToken: string; headers: Readonly<Record<string, string>> }>

/** A form without its token, with a wrong one or another page's, and with the right one from another site. */
const forgeriesOf = (mine: string, another: string): Forgery[] => [
  ...['', 'forged', another].map((formToken) => ({ formToken, headers: {} })),
  ...ELSEWHERE.map((headers) => ({ formToken: mine, headers })),
]

/** Forms that no page of ours has sent. */
export const describeForgedForms = (fixture: () => Fixture, parties: () => Parties): void => {
  test.each(['console', 'portal'] as const)(
    'accepts a form of the %s only from a page of the same session',
    async (area) => {
      const { own, sessionsOf, send } = parties()
      const [{ cookie, formToken: mine }, another] = sessionsOf(area)
      const cases = screensOf(area, 'POST').flatMap((screen) =>
        forgeriesOf(mine, another.formToken).map((forgery) => ({ screen, ...forgery })),
      )
      const faults = await faultsOf(cases, async ({ screen, formToken, headers }) => {
        // A form with a file has its token in the address.
        const path = `${pathOf(screen, { tenant: own })}?form_token=${formToken}`
        const form = { ...formOf(screen, own), form_token: formToken }
        const answer = await send(screen, path, { cookie, headers, form })
        return [`${path} ${JSON.stringify(headers)}`, stalenessOf(answer), STALE]
      })
      expect(faults).toEqual([])
      expect(cases.length).toBeGreaterThan(50)
    },
  )

  test('accepts a form of the onboarding only from a page of its link', async () => {
    const { own, send, linkToken } = parties()
    const another = formTokenOf(tokenOf((await newLink(own)).url))
    const cases = screensOf('onboarding', 'POST').flatMap((screen) =>
      forgeriesOf(formTokenOf(linkToken), another).map((forgery) => ({ screen, ...forgery })),
    )
    const faults = await faultsOf(cases, async ({ screen, formToken, headers }) => {
      // A form with a file has its token in the address.
      const path = `${pathOf(screen, { tenant: own, token: linkToken })}?form_token=${formToken}`
      const form = { ...formOf(screen, own), form_token: formToken }
      const answer = await send(screen, path, { headers, form })
      return [`${path} ${JSON.stringify(headers)}`, stalenessOf(answer), STALE]
    })
    expect(faults).toEqual([])
  })

  test('signs nobody in, uses up no link and opens no purchase from a page of another site', async () => {
    const { own, send, portalToken } = parties()
    const screens = SCREENS.filter(
      ({ method, entrance }) => method === 'POST' && (entrance === null || entrance === 'pay'),
    )
    expect(screens).toHaveLength(6)
    const cases = screens.flatMap((screen) => ELSEWHERE.map((headers) => ({ screen, headers })))
    const faults = await faultsOf(cases, async ({ screen, headers }) => {
      const path = screen.path.replace(':token', portalToken).replace(':orderId', own.ids.order)
      const form = { key: fixture().platform.operatorKey }
      const answer = await send(screen, path, { headers, form })
      return [`${path} ${JSON.stringify(headers)}`, stalenessOf(answer), STALE]
    })
    expect(faults).toEqual([])
  })
}
