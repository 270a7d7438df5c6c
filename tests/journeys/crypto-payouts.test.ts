import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { SCOPES, type ListedPayout, type TreasuryAddress as TreasuryAddressSchema } from '@causeway/contracts'
import { createRawClient, dataOf, signIn, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import type { Browser } from 'playwright-core'
import { BROWSER, NO_BROWSER } from '../../sandbox/tests/browser.ts'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { openBrowser } from '../screens/browser.ts'
import { openConsole, type ConsolePage } from '../screens/console-page.ts'
import { signInByKey } from '../screens/visitors.ts'
import {
  newCustomer,
  newPartner,
  orderBody,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'
import { readOutsideBooks } from '../soak/checks/outside-books.ts'
import { signInByLink, visit } from './portal-visitor.ts'

/** The wallet of the sandbox's receiving accounts (BIP-39 test vectors). */
const SEED = `${'abandon '.repeat(11)}about`
/** An address of Bitcoin whose key nobody of the tests has (BIP-173). */
const DESTINATION = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const UNIT = 'BTC/BTC'
const DAYS_MS = 5 * 86_400_000

type TreasuryAddress = z.infer<typeof TreasuryAddressSchema>
type Person = Readonly<{ key: string; api: RawClient }>

const folder = mkdtempSync(join(tmpdir(), 'causeway-seed-'))
let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let api: RawClient
let customer: TestCustomer
let wallet: string
/** The order that filled the treasury. */
let earned: string
let ada: Person
let ben: Person

const idempotent = () => ({ 'idempotency-key': newId('request') })
const newFinancePerson = async (name: string): Promise<Person> => {
  const made = await platform.staff.post('/api/operator/staff-keys', { name, role: 'finance' })
  const { key } = dataOf<{ key: string }>(made)
  const headers = { authorization: `Bearer ${key}` }
  return { key, api: createRawClient({ baseUrl: platform.baseUrl, headers }) }
}

/** Pays an order of 50 EUR, which the signer sweeps to its treasury once nothing has arrived for 96 hours. */
const earn = async (): Promise<string> => {
  const made = await api.post(`${customer.path}/orders`, orderBody(newId('request')), idempotent())
  const { id: orderId } = dataOf<{ order: { id: string } }>(made).order
  dataOf(await platform.sandbox.post('/control/deposits', { order_id: orderId }))
  await eventually(async () => (await partner.causeway.getCryptoOrder({ orderId })).order.status === 'paid')
  return orderId
}

const payoutOf = async (payoutId: string): Promise<ListedPayout> => {
  for (const status of ['upcoming', 'sent', 'settled', 'cancelled', 'returned']) {
    const listed = await platform.staff.get(`/api/operator/payouts?status=${status}&limit=100`)
    const found = dataOf<{ payouts: ListedPayout[] }>(listed).payouts.find(
      (each) => each.payout_id === payoutId,
    )
    if (found !== undefined) return found
  }
  throw new Error(`${payoutId} is not listed`)
}
const withdraw = async (amount: string): Promise<ListedPayout> => {
  const body = { unit: UNIT, amount, payout_wallet_id: wallet }
  const made = await api.post(`${customer.path}/withdrawals`, body, idempotent())
  return payoutOf(dataOf<{ payout: { payout_id: string } }>(made).payout.payout_id)
}
const pathOf = ({ payout_id: id }: ListedPayout) => `/api/operator/payouts/${id}`
const expectedOf = ({ unit, amount, address }: ListedPayout) => ({ expected: { unit, amount, address } })

/** Asks as Ada and confirms as Ben. @returns how it ended: the code of a refusal, or null */
const byTwo = async (path: string, body?: object) => {
  const held = await ada.api.post(path, body, idempotent())
  expect(held.status).toBe(202)
  const { pending_action: action } = dataOf<{ pending_action: { pending_action_id: string } }>(held)
  const answer = await ben.api.post(`/api/operator/pending-actions/${action.pending_action_id}/confirm`)
  if (answer.body.error !== undefined) return answer.body.error.details?.[0]?.['reason']
  return dataOf<{ pending_action: { code: string | null } }>(answer).pending_action.code
}

beforeAll(async () => {
  const seedFile = join(folder, 'seed')
  writeFileSync(seedFile, `${SEED}\n`, { mode: 0o600 })
  // With a signer, FOUR_EYES is `money`.
  platform = await startTestPlatform({
    SIGNER_SEED_FILE: seedFile,
    PAYOUT_WALLET_WAIT: '1m',
    BTC_SWEEP_ADDRESS: 'treasury',
    SIGNER_SWEEP_EVERY: '10s',
  })
  partner = await newPartner(platform, {
    scopes: SCOPES,
    default_capabilities: ['payments.crypto', 'payouts', 'payout_wallets', 'withdrawals', 'wallets'],
  })
  api = partner.api
  customer = await newCustomer(platform, partner.causeway)
  ada = await newFinancePerson('Ada')
  ben = await newFinancePerson('Ben')
  earned = await earn()
  const body = { kind: 'address', network: 'BTC', asset: 'BTC', address: DESTINATION }
  const added = await api.post(`${customer.path}/payout-wallets`, body, idempotent())
  wallet = dataOf<{ payout_wallet: { payout_wallet_id: string } }>(added).payout_wallet.payout_wallet_id
  dataOf(await platform.staff.post(`/api/operator/payout-wallets/${wallet}/confirm`))
  dataOf(await platform.sandbox.post('/control/clock', { advance_ms: DAYS_MS }))
  const { clientId, clientSecret } = partner
  api = await signIn({ baseUrl: platform.baseUrl, clientId, clientSecret })
  await eventually(async () => {
    const read = await api.get(`${customer.path}/payout-wallets/${wallet}`)
    return dataOf<{ payout_wallet: { status: string } }>(read).payout_wallet.status === 'active'
  })
})
afterAll(async () => {
  await platform.stop()
  rmSync(folder, { recursive: true })
})

test('shows a merchant in the portal the block of a deposit and the sweep to the treasury', async () => {
  const { cookie } = await signInByLink(platform, `merchants/${customer.merchantId}`)
  const path = `${platform.baseUrl}/portal/balances/order?order_id=${earned}`
  const text = await eventually(async () => {
    const page = await visit(path, { cookie })
    return page.status === 200 && page.text.includes('Swept') && page.text
  })
  expect(text).toContain('On the chain, in the order in which deposits were seen')
  expect(text).toContain('the sweep that emptied the address after the deposit')
  expect(text).toContain('Entries, newest first')
  const { cookie: other } = await signInByLink(
    platform,
    `merchants/${(await newCustomer(platform, partner.causeway)).merchantId}`,
  )
  expect((await visit(path, { cookie: other })).status).toBe(404)
})

test('refuses to send another amount, or to another address, than the payout has', async () => {
  const payout = await withdraw('0.0002')
  const { expected } = expectedOf(payout)
  for (const [field, value] of [
    ['amount', '0.0003'],
    ['address', `${DESTINATION.slice(0, -1)}5`],
    ['unit', 'LTC/LTC'],
  ] as const) {
    const other = { expected: { ...expected, [field]: value } }
    expect(await byTwo(`${pathOf(payout)}/send`, other)).toBe('changed')
  }
  expect(await payoutOf(payout.payout_id)).toMatchObject({ status: 'upcoming', transfer: null })
})

test('sends a payout once after two persons have seen it, and settles it when the chain has it', async () => {
  const payout = await withdraw('0.0003')
  expect(payout).toMatchObject({ unit: UNIT, amount: '0.0003', address: DESTINATION, transfer: null })
  const { cookie, formToken } = await signInByKey(platform, ada.key)
  const page = `${platform.baseUrl}/console/payouts`
  const shown = (await visit(page, { cookie })).text
  expect(shown).toContain(`<code>${DESTINATION}</code>`)
  const form = { form_token: formToken, ...expectedOf(payout).expected } as Record<string, string>
  await visit(`${page}/${payout.payout_id}/send`, { cookie, form })
  expect(await payoutOf(payout.payout_id)).toMatchObject({ status: 'upcoming', transfer: null })

  const target = payout.payout_id
  const { pending_actions: waiting } = dataOf<{
    pending_actions: { pending_action_id: string; asked: object }[]
  }>(await platform.staff.get(`/api/operator/pending-actions?target=${target}`))
  expect(waiting).toMatchObject([{ asked: expectedOf(payout) }])
  const confirm = `/api/operator/pending-actions/${waiting[0]?.pending_action_id}/confirm`
  expect((await ada.api.post(confirm)).status).toBe(409)
  dataOf(await ben.api.post(confirm))
  const settled = await eventually(async () => {
    const read = await payoutOf(payout.payout_id)
    return read.status === 'settled' && read
  })
  expect(settled).toMatchObject({
    tx_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    transfer: { status: 'confirmed' },
  })
  expect(await byTwo(`${pathOf(payout)}/cancel`)).toBe('invalid_state')
  expect(await byTwo(`${pathOf(payout)}/send`, expectedOf(payout))).toBe('invalid_state')
  const { transactions } = readOutsideBooks(platform.dataDir)
  expect(transactions.filter(({ to }) => to === DESTINATION)).toEqual([
    { txId: settled.tx_id, to: DESTINATION, leaves: '0.0003' },
  ])
})

const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`in a browser${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  let browser: Browser
  const visits: ConsolePage[] = []
  const signInTo = async ({ key }: Person): Promise<ConsolePage> => {
    const visit = await openConsole(browser, { baseUrl: platform.baseUrl, key })
    visits.push(visit)
    return visit
  }

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
  })

  test('sends a payout that one person has previewed and another one confirms', async () => {
    const payout = await withdraw('0.0001')
    const { payout_id: id } = payout
    const { page } = await signInTo(ada)
    await page.getByRole('link', { name: 'Payouts to send' }).click()
    const row = page.getByRole('row', { name: id })
    expect(await violationsOf(page)).toEqual([])
    await row.getByRole('button', { name: 'Send…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send this payout?' })
    const text = await dialog.innerText()
    expect(text).toContain(DESTINATION)
    expect(text).toContain('The signer sends 0.0001 BTC to it once.')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await payoutOf(id)).toMatchObject({ status: 'upcoming', transfer: null })

    await row.getByRole('button', { name: 'Send…' }).click()
    await dialog.getByRole('button', { name: 'Send the payout' }).dblclick()
    await page.getByText('Nothing has changed yet.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await payoutOf(id)).toMatchObject({ status: 'upcoming', transfer: null })

    const second = await signInTo(ben)
    await second.open(new URL(page.url()).pathname)
    const requested = await second.page.getByRole('table', { name: 'Requested changes' }).innerText()
    for (const value of [DESTINATION, '0.0001', UNIT]) expect(requested).toContain(value)
    await second.page.getByRole('button', { name: 'Confirm…' }).click()
    expect(await violationsOf(second.page)).toEqual([])
    await second.page.getByRole('button', { name: 'Confirm and carry out' }).click()
    await eventually(async () => (await payoutOf(id)).status === 'settled')
    await second.open('/console/payouts?status=settled')
    await second.page.getByRole('row', { name: id }).getByRole('cell', { name: '0.0001 BTC' }).waitFor()
    expect(visits.map(({ errors }) => errors)).toEqual([[], []])
  })

  test('shows finance the addresses of the treasury, and what of them the books have', async () => {
    const { treasury_addresses: addresses } = dataOf<{ treasury_addresses: TreasuryAddress[] }>(
      await platform.staff.get('/api/operator/treasury-addresses'),
    )
    const { page, errors } = await signInTo(ada)
    await page.getByRole('link', { name: 'Books', exact: true }).click()
    await page.getByRole('link', { name: 'Treasury' }).click()
    const shownFor = async (network: string) =>
      (await page.getByRole('region', { name: network }).innerText()).replaceAll(/\s+/g, ' ')
    const addressOf = (network: string) => addresses.find((each) => each.network === network)?.address ?? '?'
    const swept = new RegExp(
      `^BTC Address ${addressOf('BTC')} Copy Filled by Sweeps of paid orders BTC in the books 0\\.0\\d+ BTC$`,
    )
    // The books have a sweep once it is confirmed.
    await eventually(async () => {
      await page.reload()
      return swept.test(await shownFor('BTC'))
    })
    const ofEthereum = await shownFor('ETH')
    expect(ofEthereum).toContain(`Address ${addressOf('ETH')} Copy Filled by Your transfers only`)
    for (const asset of ['ETH', 'USDT', 'USDC'])
      expect(ofEthereum).toContain(`${asset} in the books Not kept apart`)
    expect(await violationsOf(page)).toEqual([])
    expect(errors).toEqual([])
  })
})
