import type { PartnerClient } from '@causeway/client'
import { eventually } from '@causeway/chassis/testing'
import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { acceptAgreements, cardOrderBody, SAMPLE_CASE } from '@causeway/scenario'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { onePagePdf } from './one-page-pdf.ts'
import { orderBody, signUp, type TestPlatform } from './platform.ts'
import { PAGE_TIMEOUT_MS } from '../screens/browser.ts'

/** A name that would run, were it taken for markup. */
const NAME = '<script>alert(1)</script> & Sons'
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A PDF of one blue page, which has a script that would run when it is opened. */
const PDF = onePagePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> ')

/** The part of a canvas that the test reads; tests have no types of browsers. */
type Canvas = Readonly<{
  width: number
  height: number
  getContext: (kind: '2d') => Readonly<{
    getImageData: (x: number, y: number, width: number, height: number) => Readonly<{ data: Uint8Array }>
  }>
}>

type Fixture = Readonly<{
  platform: TestPlatform
  causeway: PartnerClient
  customerId: string
  browser: Browser
}>

/** The console's daily work, in the browser and on the platform that its caller has started. */
export const describeConsoleWork = (fixture: () => Fixture): void =>
  describe('the console', () => {
    const browserErrors: string[] = []
    const contexts: BrowserContext[] = []
    const base = () => fixture().platform.baseUrl

    const submitCase = async (): Promise<Readonly<{ customerId: string; verificationId: string }>> => {
      const { causeway } = fixture()
      const { customerId } = await signUp(causeway)
      for (const type of REQUIRED_DOCUMENT_TYPES)
        await causeway.uploadDocument({
          customerId,
          body:
            type === 'director_id'
              ? { document_type: type, file: PIXEL, file_name: `${NAME}.png` }
              : { document_type: type, file: PDF, file_name: `${type}.pdf` },
        })
      await acceptAgreements(causeway, customerId)
      const business = { ...SAMPLE_CASE.business, legal_name: NAME }
      const { verification } = await causeway.submitVerification({
        customerId,
        body: { ...SAMPLE_CASE, business },
      })
      return { customerId, verificationId: verification.verification_id }
    }

    /** Opens a separate browser, signed in with a key. */
    const signIn = async (key: string): Promise<Page> => {
      const context = await fixture().browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      page.setDefaultTimeout(PAGE_TIMEOUT_MS)
      page.on('console', (message) => {
        // The browser reports the status of an error page; the page is checked separately.
        if (!message.text().startsWith('Failed to load resource')) browserErrors.push(message.text())
      })
      page.on('response', (response) => {
        if (response.status() >= 400 && response.request().resourceType() !== 'document')
          browserErrors.push(`${response.status()} ${response.url()}`)
      })
      page.on('pageerror', (error) => browserErrors.push(error.message))
      await page.goto(`${base()}/console`)
      await page.getByLabel('Staff key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Work', exact: true }).waitFor()
      return page
    }
    const signInAs = async (role: string): Promise<Page> => {
      const made = await fixture().platform.staff.post('/api/operator/staff-keys', { name: role, role })
      return signIn(dataOf<{ key: string }>(made).key)
    }
    const open = async (page: Page, path: string) => {
      await page.goto(`${base()}${path}`)
      expect({ path, violations: await violationsOf(page) }).toEqual({ path, violations: [] })
    }

    let submitted: Awaited<ReturnType<typeof submitCase>>
    beforeAll(async () => {
      submitted = await submitCase()
    })
    afterAll(async () => {
      for (const context of contexts) await context.close()
    })

    test('takes a reviewer from the queue to an approved case', async () => {
      const page = await signInAs('reviewer')
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Cases to review' }).click()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('link', { name: submitted.verificationId }).click()
      await page.getByRole('heading', { name: NAME }).waitFor()
      const sheet = page.getByRole('img', { name: 'Page 1 of 1' })
      await sheet.waitFor()
      const pixel = () =>
        sheet.evaluate((canvas) => {
          const drawn = canvas as unknown as Canvas
          return [...drawn.getContext('2d').getImageData(drawn.width / 2, drawn.height / 2, 1, 1).data]
        })
      await eventually(async () => String(await pixel()) === '0,0,255,255')
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Director id' }).click()
      const image = page.getByRole('img', { name: /^Director id/ })
      await image.waitFor()
      const width = await image.evaluate(async (shown) => {
        const loaded = shown as unknown as { decode: () => Promise<void>; naturalWidth: number }
        await loaded.decode()
        return loaded.naturalWidth
      })
      expect(width).toBe(1)
      expect(await violationsOf(page)).toEqual([])

      await page.getByRole('button', { name: 'Save and open the next' }).click()
      await page.locator('#document').getByText('To review', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Director id' }).click()
      await page.locator('#document').getByText('Accepted', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'Raise the requirement' }).click()
      await page.getByRole('alert').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByLabel('Kind').selectOption('clarification')
      await page.getByLabel('Message').fill('<b>Which</b> goods?')
      await page.getByRole('button', { name: 'Raise the requirement' }).dblclick()
      await page.getByRole('cell', { name: 'Open', exact: true }).waitFor()
      expect(await page.getByRole('rowheader', { name: '<b>Which</b> goods?' }).count()).toBe(1)
      await page.getByRole('button', { name: 'Cancel', exact: true }).first().click()
      await page.getByText('Cancelled').waitFor()

      await page.getByRole('button', { name: 'Approve…' }).click()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Approve the case' }).click()
      await page.getByRole('alert').getByText('Documents were not reviewed.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Approve…' }).click()
      await page.getByLabel('Why you approve it').fill('Known to us since 2019')
      await page.getByRole('button', { name: 'Approve the case' }).dblclick()
      await page.getByText('Valid until').waitFor()
      expect(await page.getByRole('button', { name: 'Approve…' }).count()).toBe(0)
      const { customerId } = submitted
      const { verification } = await fixture().causeway.getCustomerVerification({ customerId })
      expect(verification.status).toBe('approved')
      expect(browserErrors).toEqual([])
    })

    test('shows a viewer everything, and changes nothing for any form that it posts', async () => {
      const { customerId, verificationId } = await submitCase()
      const { causeway, platform } = fixture()
      const reject = `/api/operator/verifications/${verificationId}/reject`
      dataOf(await platform.staff.post(reject, { rejection_reason: 'other' }))
      await causeway.submitVerification({
        customerId,
        body: { business: { trading_name: NAME }, contact: { phone: 'abc' } },
      })
      const path = `/console/cases/${verificationId}`
      const page = await signInAs('viewer')
      await open(page, path)
      const changed = page.getByRole('row', { name: 'Business: Trading name not given' })
      expect(await changed.getByRole('cell').allInnerTexts()).toEqual(['not given', NAME])
      await page.getByText('Contact: Phone: This is not a phone number.').waitFor()
      expect(await page.getByRole('button', { name: /Approve|Reject|decision|Raise/ }).count()).toBe(0)
      const token = await page.locator('input[name=form_token]').first().inputValue()
      const post = (form: Record<string, string>) =>
        page.request.post(`${base()}${path}/approve`, { form, headers: { origin: base() } })
      const refused = await post({ form_token: token })
      expect([refused.status(), await refused.text()]).toEqual([
        403,
        expect.stringContaining('Your role does not allow this'),
      ])
      const forged = await post({ form_token: 'forged' })
      expect([forged.status(), await forged.text()]).toEqual([
        403,
        expect.stringContaining('no longer valid'),
      ])
      const answer = await fixture().platform.staff.get(`/api/operator/verifications/${verificationId}`)
      expect(dataOf<{ verification: { status: string } }>(answer).verification.status).toBe('pending')
    })

    test('shows no page and no document without a session', async () => {
      const context = await fixture().browser.newContext()
      contexts.push(context)
      for (const path of [
        '/console/cases',
        `/console/cases/${submitted.verificationId}`,
        '/console/documents/doc_01m8shxagpa6kxdfz0rd9ps29j/content',
        '/console/search?q=x',
        `/console/customers/${submitted.customerId}/personal-data`,
      ]) {
        const { headers } = await fetch(`${base()}${path}`, { redirect: 'manual' })
        expect([path, headers.get('location')]).toEqual([path, '/console/sign-in'])
      }
    })

    test('refunds a card order for its partner once, after amounts that cannot be refunded', async () => {
      const { causeway, customerId, platform } = fixture()
      const { order: paid } = await causeway.createFiatOrder({
        customerId,
        body: await cardOrderBody(causeway, customerId),
      })
      await platform.sandbox.post(`/control/card-payments/${paid.order_key}`, { outcome: 'completed' })
      await eventually(
        async () => (await causeway.getFiatOrder({ orderKey: paid.order_key })).order.status === 'paid',
      )
      const page = await signInAs('finance')
      await open(page, `/console/card-orders/${paid.order_key}`)
      await page.getByLabel('Amount in EUR').fill('0.005')
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      await page.getByText('Enter a number with at most 2 decimals').first().waitFor()
      await page.getByLabel('Amount in EUR').fill('999999.00')
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      await page.getByText('of this payment is not refunded yet').first().waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByLabel('Amount in EUR').fill('1.50')
      await page.getByRole('button', { name: 'Refund', exact: true }).dblclick()
      const story = page.getByRole('list', { name: 'What happened' })
      await story.getByText('€1.50').waitFor()
      await story.getByText('Refund a card order').first().waitFor()
      expect(await story.getByText('€1.50').count()).toBe(1)
      expect(await violationsOf(page)).toEqual([])
      expect(browserErrors).toEqual([])
    })

    test('passes the accessibility checks on every queue, every search result and every page of it', async () => {
      const { causeway, customerId, platform } = fixture()
      const reference = `find-${submitted.customerId}`
      const { order } = await causeway.createCryptoOrder({ customerId, body: orderBody(reference) })
      const page = await signIn(platform.operatorKey)
      for (const queue of [
        'refunds',
        'reconciliation',
        'unattributed-money',
        'chargebacks',
        'dead-deliveries',
        'payers',
      ])
        await open(page, `/console/${queue}`)

      await open(page, '/console/payouts/run')
      await page.getByLabel('Relationship').fill('nobody')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('alert').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByLabel('Relationship').fill('')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('heading', { name: 'Preview' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await open(page, '/console/payouts')
      const announce = page.getByRole('button', { name: 'Announce' })
      await announce.click()
      await page.getByRole('alert').waitFor()
      expect(await violationsOf(page)).toEqual([])
      const { customer_id: merchantId } = await causeway.getCustomer({ customerId })
      await page.getByLabel('Merchant or partner').fill(merchantId)
      await page.getByLabel('Amount').fill('1250.00')
      await page.getByLabel('Currency').fill('eur')
      await page.getByLabel('Scheduled for').fill('2100-01-01T10:00')
      await announce.dblclick()
      await page.getByText('€1,250.00').first().waitFor()
      expect(await page.getByRole('button', { name: 'Mark as sent…' }).count()).toBe(1)
      expect(await violationsOf(page)).toEqual([])

      await open(page, `/console/search?q=${reference}`)
      await page.getByRole('link', { name: order.id }).click()
      await page.getByRole('heading', { name: order.id }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await open(page, `/console/customers/${customerId}`)
      await page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: order.id }).waitFor()
      await open(page, `/console/search?q=${submitted.customerId}`)
      await page.getByRole('heading', { name: NAME }).waitFor()
      await page.getByText('No orders yet.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Grant' }).first().click()
      await page
        .getByRole('list', { name: 'What happened' })
        .getByText('Grant or withdraw a capability')
        .waitFor()
      await page.getByRole('link', { name: 'Export' }).click()
      await page.getByRole('heading', { name: /^Personal data/ }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(browserErrors).toEqual([])
    })
  })
