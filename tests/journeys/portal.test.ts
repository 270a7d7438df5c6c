import { eventually } from '@causeway/chassis/testing'
import { verify } from '@causeway/webhook-verifier'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { type Browser, chromium, type Page } from 'playwright-core'
import { BROWSER, NO_BROWSER } from '../../sandbox/tests/browser.ts'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { newCustomer, newPartner, claimPlatform, type ClaimedPlatform } from './platform.ts'
import { describePortalIsolation } from './portal-isolation.ts'
import { describePortalPeople } from './portal-people.ts'
import { newPortalLink, signInByLink, startPlainReceiver, visit } from './portal-visitor.ts'
import { PAGE_TIMEOUT_MS } from '../screens/browser.ts'

/** Maximum updates of a live page in a minute. */
const MOST_LOOKS = 20
const REFUSAL = '<script>document.title = "run"</script><b>unknown field</b>'

let platform: ClaimedPlatform
let receiver: Awaited<ReturnType<typeof startPlainReceiver>>
let partner: Awaited<ReturnType<typeof newPartner>>
let merchantId: string
let webhookId: string

const portal = () => `${platform.baseUrl}/portal`

beforeAll(async () => {
  platform = await claimPlatform()
  receiver = await startPlainReceiver()
  partner = await newPartner(platform)
  const { staff } = platform
  const made = await staff.post(`/api/operator/partners/${partner.partnerId}/webhooks`, { url: receiver.url })
  webhookId = dataOf<{ webhook: { webhook_id: string } }>(made).webhook.webhook_id
  receiver.answerWith(422, REFUSAL)
  ;({ merchantId } = await newCustomer(platform, partner.causeway))
  await eventually(() => receiver.hits.length > 0)
})
afterAll(async () => {
  await receiver.stop()
  platform.release()
})

const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`in a browser${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  let browser: Browser
  let page: Page
  const browserErrors: string[] = []

  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-dev-shm-usage']
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args, timeout: PAGE_TIMEOUT_MS })
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    page = await browser.newPage()
    page.setDefaultTimeout(PAGE_TIMEOUT_MS)
    browserErrors.length = 0
    page.on('console', (message) => browserErrors.push(message.text()))
    page.on('pageerror', (error) => browserErrors.push(error.message))
  })
  afterEach(async () => {
    await page.close()
    // The browser itself writes a console line for an error page.
    expect(browserErrors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  })

  const enter = async (owner: string) => {
    await page.goto(await newPortalLink(platform, owner))
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Open the portal' }).click()
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
  }
  const hasNoFault = async () => expect([page.url(), await violationsOf(page)]).toEqual([page.url(), []])
  const follow = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).first().click()
    await hasNoFault()
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const title = () => page.getByRole('heading', { level: 1 }).textContent()

  test('shows a partner’s person why a webhook failed, and resends the event once the endpoint is fixed', async () => {
    await enter(`partners/${partner.partnerId}`)
    await hasNoFault()
    await follow(receiver.url)
    expect(await page.getByRole('alert').textContent()).toContain('This endpoint is failing.')
    await follow('verification.approved')
    expect(await title()).toContain('Dead')
    await page.getByText('Responded with 422', { exact: false }).waitFor()
    await page.getByText(REFUSAL).waitFor()
    expect(await page.title()).toContain('verification.approved')
    const held = Promise.withResolvers<undefined>()
    receiver.answerWith(200, 'taken', held.promise)
    await press('Resend')
    await page.getByText('Delivery is in progress.').waitFor()
    await hasNoFault()
    held.resolve(undefined)
    // The page shows it without a reload.
    await page.getByRole('heading', { level: 1, name: 'Delivered' }).waitFor()
    await page.getByText('taken', { exact: true }).waitFor()
    await hasNoFault()
    await page.getByRole('link', { name: 'Event log' }).click()
    await page.getByLabel('Event type').selectOption('verification.approved')
    await press('Filter')
    await hasNoFault()
    expect(await page.getByRole('row').count()).toBe(2)
    await follow('verification.approved')
  })

  test('rotates a secret while both sign, and proves that by a test event', async () => {
    await enter(`partners/${partner.partnerId}`)
    await page.getByRole('link', { name: 'Add a webhook' }).click()
    await hasNoFault()
    await page.getByLabel('Endpoint URL').fill('ftp://nowhere')
    await press('Add')
    await page.getByRole('alert').waitFor()
    await hasNoFault()
    await page.getByLabel('Endpoint URL').fill(receiver.url)
    await page.getByLabel('payment.confirmed').check()
    await press('Add')
    await hasNoFault()
    const secretShown = async () =>
      (await page
        .getByRole('definition')
        .filter({ hasText: /^\s*[0-9a-f]{64}/ })
        .locator('code')
        .textContent()) ?? ''
    const former = await secretShown()
    await follow('I have copied it')
    await follow('Rotate the secret')
    await press('Rotate the secret')
    await hasNoFault()
    const next = await secretShown()
    expect([former.length, next.length, former === next]).toEqual([64, 64, false])
    await follow('I have copied it')
    await page.getByText('Two: the former secret signs until').waitFor()
    const before = receiver.hits.length
    await press('Send a test event')
    await page.getByText('Delivered.').waitFor()
    await hasNoFault()
    expect(receiver.hits).toHaveLength(before + 1)
    const { headers, body } = receiver.hits[before] ?? { headers: {}, body: '' }
    const ofFormer = createHmac('sha256', former)
      .update(`${String(headers['x-timestamp'])}.${body}`)
      .digest('hex')
    expect(headers['x-signature']).toBe(`v1=${ofFormer}`)
    expect(await verify(body, headers, next)).toMatchObject({ event_type: 'test' })
    await page.goBack()
    await follow('Revoke it now')
    await press('Revoke the former secret now')
    await page
      .getByRole('definition')
      .filter({ hasText: /^\s*One\s*$/ })
      .waitFor()
    await press('Disable…')
    await page.getByRole('dialog', { name: 'Disable this webhook?' }).waitFor()
    await hasNoFault()
    await press('Disable the webhook')
    await page.getByText('Disabled: no events are sent.').waitFor()
    await hasNoFault()
    await press('Enable')
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await follow('Change')
    expect(await page.getByLabel('payment.confirmed').isChecked()).toBe(true)
    await page.goBack()
    await follow('Delete')
    await press('Delete the webhook')
    expect(await title()).toBe('Webhooks')
  })

  test('updates a page for a minute, and leads to the sign-in after the session has ended', async () => {
    await page.clock.install()
    await enter(`partners/${partner.partnerId}`)
    const held = Promise.withResolvers<undefined>()
    receiver.answerWith(200, 'taken', held.promise)
    await follow(receiver.url)
    await follow('verification.approved')
    await press('Resend')
    await page.getByText('Delivery is in progress.').waitFor()
    let looks = 0
    const address = page.url()
    page.on('response', (response) => (looks += response.url() === address ? 1 : 0))
    const look = async () => {
      await page.clock.runFor(3_000)
      await page.waitForTimeout(50)
      return looks
    }
    await eventually(async () => (await look()) === MOST_LOOKS)
    for (let more = 0; more < 5; more += 1) await look()
    expect(looks).toBe(MOST_LOOKS)
    await page.reload()
    await page.getByText('Delivery is in progress.').waitFor()
    await page.context().clearCookies()
    await look()
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor()
    held.resolve(undefined)
  })

  test('resends many events, and keeps each further page and error accessible', async () => {
    await enter(`partners/${partner.partnerId}`)
    await page.goto(`${portal()}/webhooks/${webhookId}/redeliveries`)
    await press('Redeliver events')
    await page.getByRole('alert').waitFor()
    await hasNoFault()
    await page.getByLabel('Events from (UTC)').fill('2026-01-01T00:00')
    await press('Redeliver events')
    await page.getByRole('row').filter({ hasText: '100 %' }).waitFor()
    await hasNoFault()
    for (const path of ['/events/evt_unknown', '/sign-in', `/webhooks/${webhookId}/deliveries?status=dead`]) {
      await page.goto(portal() + path)
      await hasNoFault()
    }
    await page.goto(`${portal()}/sign-in`)
    await page.goto(`${portal()}/unknown-link`)
    await press('Open the portal')
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await hasNoFault()
  })

  test('lets a merchant’s person manage its own webhooks in the same way', async () => {
    await enter(`merchants/${merchantId}`)
    await page.getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByLabel('Endpoint URL').fill(receiver.url)
    await press('Add')
    await follow('I have copied it')
    await press('Send a test event')
    await page.getByRole('link', { name: 'test', exact: true }).waitFor()
    await hasNoFault()
    expect(receiver.hits.at(-1)?.body).toContain('"event":"test"')
  })

  describePortalPeople(() => ({ platform, browser }))
})

describe('the link and its session', () => {
  test('are opened by one POST and by no preview, and are neither cached nor sent to other sites', async () => {
    const link = await newPortalLink(platform, `partners/${partner.partnerId}`)
    for (let previews = 0; previews < 3; previews += 1) {
      const { status, headers } = await visit(link)
      expect([status, headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
        200,
        'same-origin',
        'no-store',
      ])
    }
    const opened = await visit(link, { form: {} })
    expect([opened.status, opened.location]).toEqual([303, '/portal'])
    const again = await visit(link, { form: {} })
    expect([again.status, again.headers.getSetCookie()]).toEqual([410, []])
    expect(again.text).toContain('Ask for a new one')
  })

  test('open nothing for a disabled partner', async () => {
    const { partnerId } = await newPartner(platform)
    const { cookie } = await signInByLink(platform, `partners/${partnerId}`)
    const link = await newPortalLink(platform, `partners/${partnerId}`)
    expect((await visit(portal(), { cookie })).status).toBe(200)
    await platform.staff.patch(`/api/operator/partners/${partnerId}`, { status: 'disabled' })
    expect((await visit(link, { form: {} })).status).toBe(410)
    expect((await visit(portal(), { cookie })).location).toBe('/portal/sign-in')
  })
})

describePortalIsolation(() => ({ platform, receiver, merchantId, webhookId, partnerId: partner.partnerId }))
