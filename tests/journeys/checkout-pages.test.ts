import { ConflictError, type Schemas } from '@causeway/client'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { BROWSER, NO_BROWSER } from '../../sandbox/tests/browser.ts'
import { LANGUAGE_TAGS } from '@causeway/screens'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { describeConsoleUploads } from './console-uploads.ts'
import { describeConsoleWork } from './console-work.ts'
import { describeBrandPages } from './brand-pages.ts'
import { describePaymentPage } from './payment-page.ts'
import { newCustomer, newPartner, startTestPlatform, type TestPlatform } from './platform.ts'
import { PAGE_TIMEOUT_MS } from '../screens/browser.ts'
import { cardOrderBody, findIntegration } from '@causeway/scenario'

type Order = Schemas['FiatOrder']

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let customerId: string

beforeAll(async () => {
  platform = await startTestPlatform({ CHARGEBACK_THRESHOLD_MIN: '3', CHARGEBACK_THRESHOLD_SHARE: '0.5' })
  partner = await newPartner(platform, {
    default_capabilities: ['payments.fiat_card', 'payments.crypto', 'refunds'],
  })
  ;({ customerId } = await newCustomer(platform, partner.causeway))
})
afterAll(async () => {
  await platform.stop()
})

const newOrder = async (): Promise<Order> => {
  const body = await cardOrderBody(partner.causeway, customerId)
  return (await partner.causeway.createFiatOrder({ customerId, body })).order
}
const read = async (orderKey: string): Promise<Order> =>
  (await partner.causeway.getFiatOrder({ orderKey })).order
const becomes = (orderKey: string, status: string) =>
  eventually(async () => {
    const order = await read(orderKey)
    return order.status === status && order
  })

const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`in a browser${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-dev-shm-usage']
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args, timeout: PAGE_TIMEOUT_MS })
  })
  afterAll(async () => {
    await browser.close()
  })
  beforeEach(async () => {
    page = await browser.newPage()
    page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  })
  afterEach(async () => {
    await page.close()
  })

  const payWith = async ({ order_url }: Order, number: string, email: string) => {
    await page.goto(order_url)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Card number').fill(number)
    await page.getByLabel('Expiry date').fill('04/40')
    await page.getByLabel('Security code').fill('123')
    await page.getByRole('button', { name: /^Pay/ }).click()
    return page.getByRole('heading', { level: 1 }).textContent()
  }

  test('lets a payer pay and dispute, blocks the next payment, and allows it again once the cases are lifted', async () => {
    const disputed = await newOrder()
    await payWith(disputed, '4000 0000 0000 0259', 'payer@example.com')
    await page.waitForURL(`${disputed.pay_url}`)
    // How long it is only paid depends on the machine: the dispute follows automatically.
    expect(await becomes(disputed.order_key, 'chargeback')).toMatchObject({
      chargeback_cents: 10_000,
      completed_at: expect.any(String),
    })
    await page.reload()
    await page.getByRole('heading', { name: 'You have disputed this payment' }).waitFor()

    const cases = await eventually(async () => {
      const { chargeback_cases: found } = await partner.causeway.listChargebackCases({ customerId })
      return found.length >= 2 && found
    })
    expect(cases.map(({ kind, status }) => `${kind} ${status}`).toSorted()).toEqual([
      'email active',
      'ip active',
    ])

    const refused = await newOrder()
    expect(await payWith(refused, '4242 4242 4242 4242', 'another@example.com')).toBe('Payment not accepted')
    expect((await read(refused.order_key)).status).toBe('pending')

    for (const { case_id: caseId } of cases)
      expect((await partner.causeway.liftChargebackCase.reply({ customerId, caseId })).status).toBe(200)
    await page.goto(`${refused.pay_url}`)
    await page.getByRole('link', { name: 'Pay by card' }).click()
    await page.waitForURL(refused.order_url)
    await payWith(refused, '4242 4242 4242 4242', 'payer@example.com')
    // The page updates automatically: the processor's notice may arrive after the buyer.
    await page.getByRole('heading', { name: 'Your payment has arrived' }).waitFor()
    expect(await page.getByRole('region', { name: 'Receipt' }).textContent()).toContain('€100.00')
    await becomes(refused.order_key, 'paid')
  })

  test('leaves the order pending after a declined card, and makes it paid after a passed challenge', async () => {
    const order = await newOrder()
    await payWith(order, '4000 0000 0000 0002', 'careful@example.com')
    expect(await page.getByRole('alert').textContent()).toContain('declined')
    expect((await read(order.order_key)).status).toBe('pending')
    await payWith(order, '4000 0025 0000 3155', 'careful@example.com')
    await page.getByLabel('Code from your bank').fill('123456')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Your payment has arrived' }).waitFor()
    await becomes(order.order_key, 'paid')
  })

  test('shows a card order on a page that is accessible and fits 320 px in every language, also as a receipt', async () => {
    const order = await newOrder()
    await page.setViewportSize({ width: 320, height: 640 })
    const expectGood = async (tag: string, isJudged: boolean) => {
      await page.goto(`${order.pay_url}?lang=${tag}`)
      if (isJudged) expect([tag, ...(await violationsOf(page))]).toEqual([tag])
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect([tag, excess]).toEqual([tag, 0])
    }
    for (const tag of LANGUAGE_TAGS) await expectGood(tag, tag === 'en')
    await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' })
    await becomes(order.order_key, 'paid')
    for (const tag of LANGUAGE_TAGS) await expectGood(tag, tag === 'ar')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page)).toEqual([])
  })

  describePaymentPage(() => ({ platform, causeway: partner.causeway, customerId, browser }))
  describeBrandPages(() => ({ platform, browser }))
  describeConsoleWork(() => ({ platform, causeway: partner.causeway, customerId, browser }))
  describeConsoleUploads(() => ({ platform, causeway: partner.causeway, customerId, browser }))
})

test('creates no order while the processor is unreachable, and one once it is back', async () => {
  const fault = { target: 'card', mode: 'unreachable' }
  expect((await platform.sandbox.put('/control/faults', fault)).status).toBe(200)
  await expect(newOrder()).rejects.toMatchObject({ status: 503, code: 'temporarily_unavailable' })
  await platform.sandbox.put('/control/faults', { target: 'card', mode: 'ok' })
  expect((await newOrder()).status).toBe('pending')
})

test('records a chargeback from the imported file of a processor that reports disputes by file', async () => {
  const path = `/api/operator/integrations/${await findIntegration(partner.causeway, customerId)}/processor`
  expect((await platform.staff.put(path, { processor: 'processor_full' })).status).toBe(200)
  const order = await newOrder()
  await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' })
  await becomes(order.order_key, 'paid')
  expect((await platform.sandbox.post(`/control/chargebacks/${order.order_key}`, {})).status).toBe(200)
  const file = await fetch(`${platform.sandboxUrl}/control/dispute-file`)
  const imported = await fetch(`${platform.baseUrl}/api/operator/chargebacks/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.operatorKey}`, 'content-type': 'text/csv' },
    body: await file.text(),
  })
  expect(await imported.json()).toMatchObject({ data: { imported: 1, duplicates: 0, rejected: [] } })
  await becomes(order.order_key, 'chargeback')
})

// The last test, because it moves the clock of the whole platform.
test('makes the card capability unavailable after too many disputes, until they are a month old', async () => {
  ;({ customerId } = await newCustomer(platform, partner.causeway))
  const cardCapability = async () => {
    const { capabilities } = await partner.causeway.listCapabilities({ customerId })
    const { available, reason } =
      capabilities.find((entry) => entry.capability === 'payments.fiat_card') ?? {}
    return { available, reason }
  }
  for (let disputes = 0; disputes < 3; disputes += 1) {
    const { order_key: orderKey } = await newOrder()
    await platform.sandbox.post(`/control/card-payments/${orderKey}`, { outcome: 'completed' })
    await becomes(orderKey, 'paid')
    await platform.sandbox.post(`/control/chargebacks/${orderKey}`, {})
    await becomes(orderKey, 'chargeback')
  }
  await eventually(async () => (await cardCapability()).available === false)
  expect(await cardCapability()).toEqual({ available: false, reason: 'chargeback_threshold' })
  const refused = await eventually(async () => {
    const failure: unknown = await newOrder().catch((error: unknown) => error)
    return failure instanceof ConflictError && failure
  })
  expect(refused).toMatchObject({
    code: 'capability_unavailable',
    details: [{ reason: 'chargeback_threshold' }],
  })

  expect((await platform.sandbox.post('/control/clock', { advance_ms: 720 * 3_600_000 })).status).toBe(200)
  await eventually(async () => (await cardCapability()).available === true)
  expect((await newOrder()).status).toBe('pending')
})
