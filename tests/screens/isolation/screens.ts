import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Rows } from '../../contract/database.ts'
import { postponePolls, rowsWhenIdle } from '../../contract/platform-state.ts'
import { parametersOf, pathOf, SCREENS, screensOf } from '../table.ts'
import { describeForgedForms } from './forged-forms.ts'
import { formOf } from './forms.ts'
import { describeOtherTenants } from './other-tenants.ts'
import { faultsOf, openParties, type Fixture, type Parties } from './parties.ts'
import { differenceApartFromPurged, readExpiries, timeOf } from './purged-rows.ts'
import { describeStrangers } from './strangers.ts'

/** Tables that change: staff's reads and refusals are logged in the first; these tests create links. */
const OTHER_TABLES = ['audit_entries', 'onboarding_links']

/** How a viewer is answered where it is not a page, or not a refusal. */
const FOR_VIEWERS: Readonly<Record<string, number>> = {
  // For an admin's eyes.
  'GET /console/people': 403,
  'GET /console/partners/:partnerId/people': 403,
  'GET /console/merchants/:customerId/people': 403,
  'GET /console/customers/:partnerCustomerId/personal-data': 403,
  // No posting has this id.
  'GET /console/books/journal/:journalId': 404,
  // The forms of finance.
  'GET /console/payouts/run': 403,
  // The file shows accounts and names.
  'GET /console/payment-files/:paymentFileId': 403,
  'GET /console/payment-files/:paymentFileId/content': 403,
  'GET /console/books/adjustments': 403,
  'GET /console/books/price-plans/new': 403,
  // The forms of an admin.
  'GET /console/partners/:partnerId/webhooks/new': 403,
  'GET /console/partners/:partnerId/webhooks/:webhookId/edit': 403,
  'GET /console/partners/:partnerId/webhooks/:webhookId/delete': 403,
  'GET /console/partners/:partnerId/webhooks/:webhookId/secret': 403,
  // Leads to the file.
  'GET /console/documents/:documentId/content': 303,
  // Opens a merchant by its id, and changes nothing.
  'POST /console/merchants': 303,
  // A search is posted, so that its words are in no URL.
  'POST /console/search': 200,
  'POST /console/find-merchant': 200,
  // Opens from a form, which it names.
  'GET /console/find-merchant': 404,
  // Ends a session of the viewer's own; this one is somebody else's.
  'POST /console/sessions/own/:sessionId/end': 404,
  // This order has received nothing that could be refunded.
  'GET /console/orders/:orderId/refund': 409,
  // No money of the tenants is unattributed.
  'GET /console/unattributed-money/:unattributedMoneyId': 404,
  'GET /console/unattributed-money/:unattributedMoneyId/refund': 404,
  // No action waits on this platform; services/access/tests/pending-actions asks with too little a role where one does.
  'GET /console/pending-actions/:pendingActionId': 404,
  'POST /console/pending-actions/:pendingActionId/confirm': 404,
  'POST /console/pending-actions/:pendingActionId/decline': 404,
  'POST /console/pending-actions/:pendingActionId/result': 404,
}

/**
 * Every screen of the gateway's table: what is shown and done without a session, with one that ended, with one of another
 * area, by a forged form, and with what is another tenant's. On the platform that the caller has started.
 */
export const describeScreenIsolation = (fixture: () => Fixture): void =>
  describe('screens', () => {
    let parties: Parties
    let before: Rows
    let expiries: ReadonlyMap<string, Date>

    beforeAll(async () => {
      parties = await openParties(fixture())
      await postponePolls(fixture().databases)
      // Read before the rows: no row that is purged in the meantime is among those.
      expiries = await readExpiries(fixture().databases)
      before = await rowsWhenIdle(fixture().databases, OTHER_TABLES)
    })

    test('declare what lets a person in, and what their parameters name', () => {
      for (const screen of SCREENS) if (screen.entrance !== null) parametersOf(screen)
      expect(SCREENS.length).toBeGreaterThan(100)
    })

    describeStrangers(fixture, () => parties)
    describeForgedForms(fixture, () => parties)
    describeOtherTenants(fixture, () => parties)

    test('lets a viewer read, and refuses every form that changes something', async () => {
      const { own, viewer, send } = parties
      const screens = screensOf('console').filter(({ path }) => path !== '/console/sign-out')
      const faults = await faultsOf(screens, async (screen) => {
        const token = screen.method === 'POST' ? `?form_token=${viewer.formToken}` : ''
        const path = `${pathOf(screen, { tenant: own })}${token}`
        const form = { ...formOf(screen, own), form_token: viewer.formToken }
        const { status } = await send(screen, path, { cookie: viewer.cookie, form })
        const usual = screen.method === 'GET' ? 200 : 403
        const expected = FOR_VIEWERS[`${screen.method} ${screen.path}`] ?? usual
        return [`${screen.method} ${path}`, status, expected]
      })
      expect(faults).toEqual([])
    })

    test('changes no row', async () => {
      const { databases, platform } = fixture()
      const rows = await rowsWhenIdle(databases, OTHER_TABLES)
      // The time is read after the rows: what was purged by then has expired by then.
      const now = await timeOf(platform)
      expect(differenceApartFromPurged([before, rows], expiries, now)).toEqual({})
    })
  })
