import { createHmac } from 'node:crypto'
import { eventually } from '@causeway/chassis/testing'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { newPartner, signUp, type TestPlatform } from '../journeys/platform.ts'
import { signInByLink, visit } from '../journeys/portal-visitor.ts'

/** Cookie of a session, and the token of its forms. */
export type Visitor = Readonly<{ cookie: string; formToken: string }>

/** The token of the forms of a page that was opened by this token. */
export const formTokenOf = (token: string): string =>
  createHmac('sha256', token).update('form').digest('base64url')

/** A member of staff at the console. */
export const signInByKey = async (
  { baseUrl }: Pick<TestPlatform, 'baseUrl'>,
  key: string,
): Promise<Visitor> => {
  const { headers } = await visit(`${baseUrl}/console/sign-in`, { form: { key } })
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { cookie, formToken: formTokenOf(cookie.slice(cookie.indexOf('=') + 1)) }
}

/** A member of staff with a new key of a role. */
export const signInAs = async (platform: TestPlatform, role: string): Promise<Visitor> => {
  const made = await platform.staff.post('/api/operator/staff-keys', { name: `The ${role}`, role })
  return signInByKey(platform, dataOf<{ key: string }>(made).key)
}

/** Sessions and a link that were opened, and whose time is over. */
export type Expired = Readonly<{ console: Visitor; portal: Visitor; onboardingToken: string }>

const SESSION_LIFE_MS = 8 * 3_600_000

/** Opens one of each and moves the platform's clock past their end. To be called first, so that nothing else expires. */
export const expiredVisitors = async (platform: TestPlatform): Promise<Expired> => {
  const { causeway, partnerId } = await newPartner(platform)
  const { customerId } = await signUp(causeway)
  const body = { expires_in_hours: 1 }
  const { onboarding_link: link } = await causeway.createOnboardingLink({ customerId, body })
  const expired = {
    console: await signInByKey(platform, platform.operatorKey),
    portal: await signInByLink(platform, `partners/${partnerId}`),
    onboardingToken: link.url.slice(link.url.lastIndexOf('/') + 1),
  }
  dataOf(await platform.sandbox.post('/control/clock', { advance_ms: SESSION_LIFE_MS + 60_000 }))
  await eventually(
    async () =>
      (await visit(`${platform.baseUrl}/console`, { cookie: expired.console.cookie })).status === 303,
  )
  return expired
}
