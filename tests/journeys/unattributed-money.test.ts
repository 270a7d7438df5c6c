import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@causeway/chassis/testing'
import type { UnattributedMoney } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { BROWSER, NO_BROWSER } from '../../sandbox/tests/browser.ts'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { PAGE_TIMEOUT_MS, openBrowser } from '../screens/browser.ts'
import { newCustomer, newPartner, orderBody, startTestPlatform, type TestPlatform } from './platform.ts'

/** The wallet of the sandbox's receiving accounts (BIP-39 test vectors). */
const SEED = `${'abandon '.repeat(11)}about`
/** An address of Bitcoin whose key nobody of the tests has (BIP-173). */
const SOMEBODY = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const WIDTHS = [1280, 390] as const

const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`unattributed money in the console${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-seed-'))
  let platform: TestPlatform
  let partner: Awaited<ReturnType<typeof newPartner>>
  let customerId: string
  let browser: Browser

  beforeAll(async () => {
    const seedFile = join(folder, 'seed')
    writeFileSync(seedFile, `${SEED}\n`, { mode: 0o600 })
    // With a signer, FOUR_EYES is `money`.
    platform = await startTestPlatform({ SIGNER_SEED_FILE: seedFile })
    partner = await newPartner(platform, { default_capabilities: ['payments.crypto'] })
    ;({ customerId } = await newCustomer(platform, partner.causeway))
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await platform.stop()
    rmSync(folder, { recursive: true })
  })

  /** A member of staff in a browser of their own. */
  const signIn = async (role: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> => {
    const made = await platform.staff.post('/api/operator/staff-keys', { name: role, role })
    const page = await browser.newPage(options)
    page.setDefaultTimeout(PAGE_TIMEOUT_MS)
    await page.goto(`${platform.baseUrl}/console`)
    await page.getByLabel('Staff key').fill(dataOf<{ key: string }>(made).key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Work', exact: true }).waitFor()
    return page
  }

  let orders = 0
  const newOrder = async (): Promise<string> => {
    const body = orderBody(`money-${(orders += 1)}`)
    return (await partner.causeway.createCryptoOrder({ customerId, body })).order.id
  }
  const deposit = async (orderId: string, amount?: string) =>
    dataOf(await platform.sandbox.post('/control/deposits', { order_id: orderId, amount }))
  const statusOf = async (orderId: string) =>
    (await partner.causeway.getCryptoOrder({ orderId })).order.status
  const moneyOf = (orderId: string, kind: string): Promise<UnattributedMoney> =>
    eventually(async () => {
      const listed = await platform.staff.get(`/api/operator/unattributed-money?kind=${kind}`)
      const { unattributed_money: rows } = dataOf<{ unattributed_money: UnattributedMoney[] }>(listed)
      return rows.find((row) => row.order_id === orderId)
    })
  /** Money that a paid order has received once more. */
  const newSecond = async (amount: string): Promise<UnattributedMoney> => {
    const orderId = await newOrder()
    await deposit(orderId)
    await eventually(async () => (await statusOf(orderId)) === 'paid')
    await deposit(orderId, amount)
    return moneyOf(orderId, 'second')
  }
  /** Money that arrived after its order was cancelled. */
  const newLate = async (amount: string): Promise<UnattributedMoney> => {
    const orderId = await newOrder()
    await partner.api.post(`/api/v1/partner/orders/${orderId}/cancel`)
    await deposit(orderId, amount)
    return moneyOf(orderId, 'late')
  }
  const pathOf = ({ unattributed_money_id: id }: UnattributedMoney) => `/console/unattributed-money/${id}`

  /** No fault by axe, in light and in dark, and nothing that is cut off, on a desk and on a phone. */
  const isSound = async (page: Page) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        const where = [page.url(), colorScheme, width]
        expect([where, await violationsOf(page)]).toEqual([where, []])
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
      }
    }
    await page.setViewportSize({ width: WIDTHS[0], height: 900 })
  }
  /** The facts of a page by their terms. */
  const factsOf = async (page: Page): Promise<Record<string, string>> => {
    const rows = page.locator('dl > div')
    const pairs = await rows.evaluateAll((all) =>
      (all as unknown as { children: { textContent: string }[] }[]).map(({ children }) =>
        [...children].map(({ textContent }) => textContent.trim().replaceAll(/\s+/g, ' ')),
      ),
    )
    return Object.fromEntries(pairs as [string, string][])
  }
  const PLANNED = ['Amount', 'Source address', 'Refund address', 'Sent by', 'Maximum network fee']
  const planOf = async (page: Page) => {
    const facts = await factsOf(page)
    return Object.fromEntries(PLANNED.map((term) => [term, facts[term]]))
  }

  test('sends unattributed money back by the signer after two persons have seen the same plan, and shows how it ended', async () => {
    const money = await newSecond('0.0003')
    const asking = await signIn('finance')
    await asking.getByRole('link', { name: 'Unattributed money' }).click()
    await isSound(asking)
    await asking.getByRole('link', { name: '0.0003 BTC' }).click()
    await asking.getByText('The order was already paid when it arrived. It counts for no order.').waitFor()
    await isSound(asking)
    const address = asking.getByLabel('Refund address')
    const plan = asking.getByRole('button', { name: 'Review the refund' })
    await plan.click()
    await asking.getByRole('alert').getByText('Enter the address for the refund.').waitFor()
    await address.fill('nowhere')
    await plan.click()
    await asking.getByText('Enter an address of BTC.').first().waitFor()
    await address.fill(money.address ?? '')
    await plan.click()
    await asking.getByRole('alert').getByText('Enter an address that is not the platform’s own.').waitFor()
    await address.fill(SOMEBODY)
    await plan.click()
    await asking.getByRole('heading', { name: 'Confirm the refund' }).waitFor()
    await isSound(asking)
    const seen = await planOf(asking)
    expect(seen).toEqual({
      Amount: '0.0003 BTC',
      'Source address': money.address,
      'Refund address': SOMEBODY,
      'Sent by': 'The platform’s signer, automatically',
      'Maximum network fee': expect.stringMatching(/^0\.\d+ BTC$/),
    })
    await asking.getByRole('button', { name: 'Send 0.0003 BTC' }).click()
    await asking.getByText('Nothing has changed yet.').waitFor()
    const target = money.unattributed_money_id
    const waiting = await platform.staff.get(`/api/operator/pending-actions?target=${target}`)
    const asked = { to_address: SOMEBODY, expected: { amount: '0.0003', from_address: money.address } }
    expect(dataOf(waiting)).toMatchObject({ pending_actions: [{ asked }] })

    await asking.goto(platform.baseUrl + pathOf(money))
    await asking.getByText('A refund is waiting for a second person.').waitFor()
    expect(await asking.getByRole('button', { name: /Keep|Apply|Record|Review/ }).count()).toBe(0)
    await isSound(asking)

    const confirming = await signIn('finance')
    await confirming.getByRole('link', { name: 'Waiting for a second person' }).click()
    await confirming.getByRole('link', { name: 'Refund unattributed money' }).click()
    await confirming.getByRole('heading', { name: 'Refund to send' }).waitFor()
    expect(await planOf(confirming)).toEqual(seen)
    await isSound(confirming)
    await confirming.getByRole('button', { name: 'Confirm…' }).click()
    await confirming.getByRole('button', { name: 'Confirm and carry out' }).click()
    await confirming.getByText('Done', { exact: true }).waitFor()
    const ended = await eventually(async () => {
      await confirming.goto(platform.baseUrl + pathOf(money))
      const facts = await factsOf(confirming)
      return facts['Resolution'] === 'Refunded' && facts
    })
    expect(ended).toMatchObject({
      State: 'Closed',
      'Refund address': SOMEBODY,
      Status: 'Confirmed',
      Transaction: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    await isSound(confirming)
  })

  test('shows the second person late money of an order with its plan, too', async () => {
    const { order_id: orderId, address } = await newLate('0.0002')
    const page = await signIn('finance')
    await page.goto(`${platform.baseUrl}/console/orders/${orderId}`)
    await page.getByLabel('Refund address').fill(SOMEBODY)
    await isSound(page)
    await page.getByRole('button', { name: 'Review the refund' }).click()
    const seen = await planOf(page)
    await page.getByRole('button', { name: 'Send 0.0002 BTC' }).click()
    await page.getByText('Nothing has changed yet.').waitFor()
    const second = await signIn('finance')
    await second.goto(page.url())
    expect(await planOf(second)).toEqual(seen)
    expect(seen['Source address']).toBe(address)
    await second.goto(`${platform.baseUrl}/console/orders/${orderId}`)
    await second.getByText('A refund is waiting for a second person.').waitFor()
    expect(await second.getByLabel('Refund address').count()).toBe(0)
  })

  test('applies unattributed money with the merchant’s consent by the keyboard, in a browser that runs no script', async () => {
    const money = await newLate('0.0004')
    const page = await signIn('finance', { javaScriptEnabled: false })
    await page.goto(platform.baseUrl + pathOf(money))
    const apply = page.getByRole('button', { name: 'Apply 0.0004 BTC' })
    await apply.press('Enter')
    await page
      .getByRole('alert')
      .getByRole('link', { name: 'This is empty or too short. Enter more.' })
      .waitFor()
    const consent = page.getByLabel('The merchant’s consent')
    expect(await consent.getAttribute('aria-invalid')).toBe('true')
    await consent.fill('By e-mail of 2026-11-24')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Resolution' }).waitFor()
    expect(await factsOf(page)).toMatchObject({
      State: 'Closed',
      Resolution: 'Applied to its order, with the merchant’s consent',
      'The merchant’s consent': 'By e-mail of 2026-11-24',
    })
    expect(await statusOf(money.order_id ?? '')).toBe('paid')
  })

  test('lists money that is kept with a reason or recorded as handled among what has ended, and lets a viewer decide nothing', async () => {
    const [kept, handled] = [await newSecond('0.00004'), await newSecond('0.00005')]
    const page = await signIn('finance')
    await page.goto(platform.baseUrl + pathOf(kept))
    await page.getByLabel('Reason', { exact: true }).fill('Its network fee is higher.')
    await page.getByRole('button', { name: 'Keep 0.00004 BTC' }).click()
    await page.getByText('Its network fee is higher.').waitFor()
    const viewer = await signIn('viewer')
    await viewer.goto(platform.baseUrl + pathOf(handled))
    expect(await viewer.getByRole('button').allInnerTexts()).toEqual(['Sign out'])
    await page.goto(platform.baseUrl + pathOf(handled))
    await page.getByLabel('Note').fill('Sent back by the treasury.')
    await page.getByLabel('Transaction').fill('ab12')
    await page.getByRole('button', { name: 'Record as handled' }).click()
    await page.getByRole('heading', { name: 'Resolution' }).waitFor()
    expect(await factsOf(page)).toMatchObject({
      Resolution: 'Handled manually',
      Note: 'Sent back by the treasury.',
      'Outgoing transaction': 'ab12',
    })
    await page.getByRole('link', { name: 'All unattributed money' }).click()
    await page.getByLabel('State').selectOption('ended')
    await page.getByLabel('Kind').selectOption('second')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('table', { name: 'Closed, oldest first' }).waitFor()
    const rows = await page.getByRole('row').allInnerTexts()
    expect(rows.filter((row) => /\tKept|\tHandled manually/.test(row))).toHaveLength(2)
    await isSound(page)
  })
})
