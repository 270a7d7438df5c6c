import { expect, test } from '@jest/globals'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { pathOf, screensOf } from '../table.ts'
import { formTokenOf } from '../visitors.ts'
import { formOf } from './forms.ts'
import { faultsOf, newLink, tokenOf, type Fixture, type Parties } from './parties.ts'

const SIGN_IN = { console: '/console/sign-in', portal: '/portal/sign-in' } as const
const NOBODYS_TOKEN = 'a'.repeat(43)

/** Who has no session or link, or one that opens nothing here. */
export const describeStrangers = (fixture: () => Fixture, parties: () => Parties): void => {
  test.each(['console', 'portal'] as const)(
    'shows and does nothing in the %s without a session, or with one that ended or is another area’s',
    async (area) => {
      const { own, sessionsOf, send } = parties()
      const [mine] = sessionsOf(area)
      const [other] = sessionsOf(area === 'console' ? 'portal' : 'console')
      const cookies = [
        '',
        other.cookie,
        other.cookie.replace(/^causeway_\w+=/, `causeway_${area}=`),
        fixture().expired[area].cookie,
        `causeway_${area}=${NOBODYS_TOKEN}`,
      ]
      const cases = screensOf(area).flatMap((screen) => cookies.map((cookie) => ({ screen, cookie })))
      const faults = await faultsOf(cases, async ({ screen, cookie }) => {
        const path = pathOf(screen, { tenant: own })
        const form = { ...formOf(screen, own), form_token: mine.formToken }
        const { status, headers, text } = await send(screen, path, { cookie, form })
        const found = [status, headers['location'], headers['set-cookie'] === undefined, text]
        return [`${screen.method} ${path} ${cookie}`, found, [303, SIGN_IN[area], true, '']]
      })
      expect(faults).toEqual([])
      expect(cases.length).toBeGreaterThan(80)
    },
  )

  test('opens nothing by an onboarding link that is unknown, expired, ended or of another kind', async () => {
    const { own, send, linkToken, portalToken } = parties()
    const { onboarding_link_id: ended, url } = await newLink(own)
    dataOf(await own.partner.delete(`${own.customer}/onboarding-links/${ended}`))
    const { onboardingToken } = fixture().expired
    const tokens = [NOBODYS_TOKEN, onboardingToken, tokenOf(url), portalToken, `${linkToken}a`, 'a']
    const cases = screensOf('onboarding').flatMap((screen) => tokens.map((token) => ({ screen, token })))
    const faults = await faultsOf(cases, async ({ screen, token }) => {
      const path = pathOf(screen, { tenant: own, token })
      const form = { ...formOf(screen, own), form_token: formTokenOf(token) }
      const { status, text } = await send(screen, path, { form })
      return [
        `${screen.method} ${path}`,
        [status, text.includes('This link is no longer valid')],
        [404, true],
      ]
    })
    expect(faults).toEqual([])
  })
}
