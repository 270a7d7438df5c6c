import { newId } from '@causeway/chassis'
import { describe, expect, test } from '@jest/globals'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { newPartner, type SharedPlatform } from './platform.ts'
import { signInByLink, visit } from './portal-visitor.ts'

type Fixture = Readonly<{
  platform: SharedPlatform
  receiver: Readonly<{ url: string; hits: readonly unknown[] }>
  partnerId: string
  merchantId: string
  /** A destination of the partner. */
  webhookId: string
}>

/** Isolation of the people of one partner or merchant, on the platform that the caller started. */
export const describePortalIsolation = (fixture: () => Fixture): void =>
  describe('isolation', () => {
    const portal = () => `${fixture().platform.baseUrl}/portal`

    const eventOf = async () => {
      const path = `/api/operator/partners/${fixture().partnerId}/webhook-events?limit=1`
      const { events } = dataOf<{ events: { event_id: string }[] }>(await fixture().platform.staff.get(path))
      return events[0]?.event_id ?? ''
    }
    const pathsOf = (eventId: string) => {
      const webhook = `/webhooks/${fixture().webhookId}`
      const pages = ['', '/edit', '/delete', '/secret', '/deliveries', '/redeliveries', `/events/${eventId}`]
      const actions = ['/edit', '/delete', '/secret', '/test', '/redeliveries', `/events/${eventId}/resend`]
      return {
        pages: [...pages.map((path) => webhook + path), `/events/${eventId}`],
        actions: [...actions, `/redeliveries/${newId('redelivery')}/cancel`].map((path) => webhook + path),
      }
    }
    const fields = { url: 'https://example.org/', overlap: 'now', since: '2026-01-01' }

    test.each(['partner', 'merchant'])(
      'shows and changes nothing of another owner in the session of a foreign %s',
      async (kind) => {
        const owner =
          kind === 'partner'
            ? `partners/${(await newPartner(fixture().platform)).partnerId}`
            : `merchants/${fixture().merchantId}`
        const { cookie, formToken } = await signInByLink(fixture().platform, owner)
        const { pages, actions } = pathsOf(await eventOf())
        const hits = fixture().receiver.hits.length
        for (const path of pages)
          expect([path, (await visit(portal() + path, { cookie })).status]).toEqual([path, 404])
        for (const path of actions) {
          const answer = await visit(portal() + path, { cookie, form: { ...fields, form_token: formToken } })
          expect([path, answer.status]).toEqual([path, 404])
        }
        expect(fixture().receiver.hits).toHaveLength(hits)
      },
    )

    test('shows and changes nothing without a session, with one of staff, or from a forged form', async () => {
      const signedIn = await visit(`${fixture().platform.baseUrl}/console/sign-in`, {
        form: { key: fixture().platform.operatorKey },
      })
      const staff = (signedIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
      const { pages, actions } = pathsOf(await eventOf())
      for (const cookie of ['', staff, staff.replace('console', 'portal'), 'causeway_portal=nonsense'])
        for (const path of [...pages, '', '/events', '/webhooks/new']) {
          const { status, location } = await visit(portal() + path, { cookie })
          expect([path, status, location]).toEqual([path, 303, '/portal/sign-in'])
        }
      const own = await signInByLink(fixture().platform, `partners/${fixture().partnerId}`)
      const other = await signInByLink(fixture().platform, `partners/${fixture().partnerId}`)
      for (const path of [...actions, '/webhooks/new', '/sign-out'])
        for (const token of ['', 'forged', other.formToken]) {
          const answer = await visit(portal() + path, {
            cookie: own.cookie,
            form: { ...fields, form_token: token },
          })
          expect([path, answer.status]).toEqual([path, 403])
        }
      expect((await visit(portal(), { cookie: own.cookie })).text).toContain(fixture().receiver.url)
    })
  })
