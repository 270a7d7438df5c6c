import { dataOf } from '@causeway/dev-env/platform/raw-client'
import type { Databases } from '../../contract/database.ts'
import { forEachOf, type Http, type Received } from '../../contract/http.ts'
import type { Tenants } from '../../contract/request-variants.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { TestPlatform } from '../../journeys/platform.ts'
import { newPortalLink, signInByLink } from '../../journeys/portal-visitor.ts'
import type { Channel, ListedScreen } from '../table.ts'
import { signInAs, signInByKey, type Expired, type Visitor } from '../visitors.ts'

const AT_ONCE = 24
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** Platform and tenants that the caller started. */
export type Fixture = Readonly<{
  platform: TestPlatform
  databases: Databases
  http: Http
  tenants: Tenants
  expired: Expired
}>

type Request = Readonly<{
  cookie?: string
  headers?: Readonly<Record<string, string>>
  form?: Readonly<Record<string, string>>
}>
type Pair = readonly [Visitor, Visitor]

export const tokenOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1)

/** A new onboarding link of a tenant's customer. */
export const newLink = async ({ partner, customer }: Tenant) => {
  const made = await partner.post(`${customer}/onboarding-links`)
  return dataOf<{ onboarding_link: { onboarding_link_id: string; url: string } }>(made).onboarding_link
}

/** All that names a tenant, or what is its. */
export const marksOf = ({ partnerId, email, externalId, ids }: Tenant): string[] => [
  partnerId,
  email,
  externalId,
  ...Object.values(ids),
]

/** Finds a mark in a text. The few digits of an order key must stand alone: addresses and amounts have them by chance. */
export const isIn = (text: string, mark: string): boolean =>
  /^\d+$/.test(mark) ? new RegExp(`(?<!\\w|\\d\\.)${mark}(?!\\w|\\.\\d)`).test(text) : text.includes(mark)

/** Finds data of these tenants on a page, except what the own tenant has too. */
export const leaksOf = (text: string, own: Tenant, foreign: readonly Tenant[]): string[] => {
  const known = new Set(marksOf(own))
  return foreign.flatMap(marksOf).filter((mark) => !known.has(mark) && isIn(text, mark))
}

/** People of the own tenant and of staff, with two sessions of each where forms are compared. */
export const openParties = async ({ platform, http, tenants: { own } }: Fixture) => {
  const twice = async (open: () => Promise<Visitor>): Promise<Pair> => [await open(), await open()]
  const admins = await twice(() => signInByKey(platform, platform.operatorKey))
  const people: Readonly<Record<Channel, Pair>> = {
    partner: await twice(() => signInByLink(platform, `partners/${own.partnerId}`)),
    merchant: await twice(() => signInByLink(platform, `merchants/${own.ids.merchant}`)),
  }
  return {
    own,
    admins,
    people,
    viewer: await signInAs(platform, 'viewer'),
    /** Tokens of an onboarding link, and of a portal link that nobody has used. */
    linkToken: tokenOf((await newLink(own)).url),
    portalToken: tokenOf(await newPortalLink(platform, `partners/${own.partnerId}`)),
    sessionsOf: (entrance: 'console' | 'portal'): Pair => (entrance === 'console' ? admins : people.partner),
    send: ({ method }: ListedScreen, path: string, { cookie, headers, form }: Request = {}) =>
      http.send({
        method,
        target: path,
        headers: { ...(cookie !== undefined && { cookie }), ...(method === 'POST' && FORM_TYPE), ...headers },
        ...(method === 'POST' && { body: new URLSearchParams(form).toString() }),
      }),
  }
}
export type Parties = Awaited<ReturnType<typeof openParties>>

type Compared = readonly [name: string, found: unknown, expected: unknown]

/** Requests each case, many concurrently. @returns the results that differ from the expected ones */
export const faultsOf = async <T>(
  cases: readonly T[],
  ask: (each: T) => Promise<Compared>,
): Promise<string[]> => {
  const faults: string[] = []
  await forEachOf(cases, AT_ONCE, async (each) => {
    const [name, found, expected] = await ask(each)
    if (JSON.stringify(found) !== JSON.stringify(expected))
      faults.push(`${name}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`)
  })
  return faults
}

/** Returns the parts of a response to a refused form; it also must not set a session. */
export const stalenessOf = ({ status, headers, text }: Received): unknown => [
  status,
  headers['set-cookie'] === undefined,
  text.includes('This form is no longer valid'),
]
export const STALE = [403, true, true]
