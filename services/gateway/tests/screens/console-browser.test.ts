import type { PendingAction } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { BROWSER, NO_BROWSER } from '../../../../sandbox/tests/browser.ts'
import { violationsOf } from '../../../../sandbox/tests/violations.ts'
import { KNOWN_MERCHANT } from '../fixtures/script.ts'
import {
  newPartner,
  newStaffKey,
  openFixture,
  OPERATOR_KEY,
  type Fixture,
  type Replica,
} from '../fixtures/running-gateway.ts'
import { signIn } from './console-visitor.ts'

const START_TIMEOUT_MS = 240_000
const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`the console in a browser${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  let fixture: Fixture
  let gateway: Replica
  let browser: Browser
  let page: Page
  const browserErrors: string[] = []

  beforeAll(async () => {
    fixture = await openFixture()
    gateway = await fixture.startReplica()
    const args = ['--no-sandbox', '--disable-dev-shm-usage']
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args, timeout: START_TIMEOUT_MS })
    page = await browser.newPage({ colorScheme: 'dark' })
    page.on('console', (message) => {
      // A page that answers 4xx is what some of these tests ask for; the browser notes it.
      // The browser also notes what a sign-out clears.
      const isNote = /^(Failed to load resource|Clear-Site-Data header on )/.test(message.text())
      if (!isNote) browserErrors.push(message.text())
    })
    page.on('pageerror', (error) => browserErrors.push(error.message))
  }, START_TIMEOUT_MS)
  afterAll(async () => {
    await browser.close()
    await fixture.close()
  })

  const open = (path: string) => page.goto(`${gateway.origin}${path}`)
  const heading = () => page.getByRole('heading', { level: 1 }).textContent()
  const isSound = async () => {
    expect([page.url(), await violationsOf(page)]).toEqual([page.url(), []])
  }

  test('signs a person in by the keyboard, after a wrong key, and out again', async () => {
    await open('/console/partners')
    expect(new URL(page.url()).pathname).toBe('/console/sign-in')
    await isSound()
    await page.getByLabel('Staff key').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await page.title()).toMatch(/^Error: /)
    await isSound()
    await page.getByLabel('Staff key').fill(OPERATOR_KEY)
    await page.keyboard.press('Enter')
    await page.getByText('Signed in as').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await open('/console/partners')
    expect(await heading()).toBe('Sign in')
    await page.getByLabel('Staff key').fill(OPERATOR_KEY)
    await page.keyboard.press('Enter')
    await page.getByText('Signed in as').waitFor()
  })

  test('lets an admin make a key for a colleague, and revoke it after a question', async () => {
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByLabel('Name of the person').fill('Ada')
    await page.getByLabel('Role').selectOption('finance')
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByText('Copy this now. It is not shown again.').waitFor()
    await isSound()
    await page.getByRole('link', { name: 'Back to people' }).click()
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await page.getByRole('dialog', { name: 'Revoke the key of Ada?' }).waitFor()
    await isSound()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('No keys yet').waitFor()
  })

  test('passes the accessibility checks on every screen and every form with an error', async () => {
    await newStaffKey(gateway, 'viewer')
    const { partner, client } = await newPartner(gateway, { name: '<script>complain()</script>' })
    const ofPartner = `/console/partners/${partner.partner_id}`
    for (const path of [
      '/console/people',
      '/console/partners',
      '/console/partners/new',
      ofPartner,
      `${ofPartner}/clients/${client.client_id}`,
      `${ofPartner}/webhooks`,
      `${ofPartner}/webhooks/new`,
      '/console/merchants',
      `/console/merchants/${KNOWN_MERCHANT}`,
      '/console/agreements',
      '/console/agreements/new',
      '/console/audit',
      '/console/health',
      '/console/checkouts',
      '/console/parked-events',
      '/console/parked-events/webhooks-fanout/seq%3A7?done=failed',
      '/console/partners/prt_unknown',
    ]) {
      await open(path)
      await isSound()
    }
    for (const [path, button, fault] of [
      ['/console/people', 'Create the key', 'This is empty or too short. Enter more.'],
      ['/console/partners/new', 'Create the partner', 'This is empty or too short. Enter more.'],
      [
        '/console/parked-events/webhooks-fanout/seq%3A7',
        'Set aside',
        'This is empty or too short. Enter more.',
      ],
      ['/console/merchants', 'Open', 'Enter an id that begins with cus_.'],
    ] as const) {
      await open(path)
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('alert').getByRole('link', { name: fault }).waitFor()
      await isSound()
    }
  })

  test('confirms an action that needs two persons after a question, on accessible pages', async () => {
    const gated = await fixture.startReplica({ fourEyes: new Set(['keys']) })
    const { key: token } = await newStaffKey(gateway, 'admin')
    // Who has the key of the setting is the same person as each key that it made.
    const { key: second } = await newStaffKey(gateway, 'admin')
    const [name = '', value = ''] = (await signIn(gateway, second)).cookie.split('=')
    await page.context().addCookies([{ name, value, url: gated.origin }])
    const body = { name: 'Grace', role: 'viewer' }
    const held = await gated.call('POST', '/api/operator/staff-keys', { token, body })
    const { pending_action: action } = held.data as unknown as { pending_action: PendingAction }
    await page.goto(`${gated.origin}/console`)
    await page.getByRole('link', { name: 'Waiting for a second person' }).click()
    await isSound()
    await page.getByRole('link', { name: 'Create a staff key' }).click()
    await isSound()
    await page.getByRole('button', { name: 'Confirm…' }).click()
    await page.getByRole('dialog', { name: 'Create a staff key?' }).waitFor()
    await isSound()
    await page.getByRole('button', { name: 'Confirm and carry out' }).click()
    await page.getByText('Done').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/pending-actions/${action.pending_action_id}`)
    await page.goto(`${gated.origin}/console/people`)
    await page.getByLabel('Name of the person').fill('Ida')
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByText('Nothing has changed yet.').waitFor()
    await isSound()
    const own = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await gated.call('POST', `/api/operator/pending-actions/${own}/confirm`, { token })
    await page.reload()
    await page.getByRole('button', { name: 'Show the result' }).click()
    await page.getByText('Copy this now. It is not shown again.').waitFor()
    await isSound()
    await gated.stop()
  })

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'finds a merchant by name and fills in its id by the keyboard %s JavaScript',
    async (_, javaScriptEnabled) => {
      const context = await browser.newContext({
        storageState: await page.context().storageState(),
        viewport: { width: 320, height: 800 },
        javaScriptEnabled,
      })
      const narrow = await context.newPage()
      const isFine = async () => {
        if (javaScriptEnabled) expect([narrow.url(), await violationsOf(narrow)]).toEqual([narrow.url(), []])
        const main = await narrow.locator('main').boundingBox()
        expect(main?.width).toBeLessThanOrEqual(320)
      }
      await narrow.goto(`${gateway.origin}/console/sessions`)
      await narrow.getByRole('button', { name: 'Find a merchant by name…' }).focus()
      await narrow.keyboard.press('Enter')
      await narrow.getByRole('heading', { name: 'Find a merchant' }).waitFor()
      await isFine()
      await narrow.getByLabel('Name of the merchant').fill('nobody')
      await narrow.keyboard.press('Enter')
      await narrow.getByText('No merchant was found.').waitFor()
      await isFine()
      await narrow.getByLabel('Name of the merchant').fill('ali')
      await narrow.keyboard.press('Enter')
      const choose = narrow.getByRole('button', { name: `Choose Alice Ops, ${KNOWN_MERCHANT}` })
      await choose.waitFor()
      await isFine()
      await narrow.getByRole('button', { name: 'Next page' }).click()
      await choose.focus()
      await narrow.keyboard.press('Enter')
      await narrow.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
      expect(await narrow.getByLabel('Id', { exact: true }).inputValue()).toBe(KNOWN_MERCHANT)
      expect(await narrow.getByLabel('End all sessions of').inputValue()).toBe('customer_id')
      await isFine()
      await context.close()
    },
  )

  test('cuts nothing off in a narrow window', async () => {
    await page.setViewportSize({ width: 320, height: 800 })
    for (const path of [
      '/console/people',
      '/console/pending-actions',
      '/console/partners',
      '/console/audit',
      '/console/health',
    ]) {
      await open(path)
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect([path, overflow]).toEqual([path, 0])
    }
  })

  test('requests nothing that the policy blocks, and runs every script without an error', () => {
    expect(browserErrors).toEqual([])
  })
})
