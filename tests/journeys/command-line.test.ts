import { createMerchantClient } from '@causeway/client'
import { eventually } from '@causeway/chassis/testing'
import { MERCHANT_EVENTS, PARTNER_EVENT_TYPES, SCOPES } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readFileSync, statSync } from 'node:fs'
import { createCommandLine, type CommandLine } from '../../packages/cli/tests/command-line.ts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { newCustomer, newPartner, registerReceiver, claimPlatform, type ClaimedPlatform } from './platform.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
/** The id of a verified customer. */
let customer: string
let cli: CommandLine
beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform, { scopes: SCOPES })
  customer = (await newCustomer(platform, partner.causeway)).customerId
  cli = createCommandLine({ CAUSEWAY_SANDBOX_URL: platform.sandboxUrl })
  await succeed(
    `login partner --base-url ${platform.baseUrl} --client-id ${partner.clientId}`,
    partner.clientSecret,
  )
  await succeed('login staff', platform.operatorKey)
})
afterAll(async () => {
  cli.remove()
  platform.discard()
})

const publishAgreement = async ({ staff }: ClaimedPlatform) =>
  dataOf(
    await staff.post('/api/operator/agreements', {
      title: 'Agreement',
      version: '1.0',
      effective_date: '2026-11-01',
      parties: [{ role: 'provider', name: 'Causeway' }],
      disclosure: 'By accepting you agree.',
      content_base64: Buffer.from('The agreement.\n').toString('base64'),
    }),
  )

/** Runs a command that must succeed. @returns its output */
const succeed = async (args: string, stdin = ''): Promise<string> => {
  const { code, stdout, stderr } = await cli.run(args, { stdin })
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return stdout
}
const json = async <T>(args: string): Promise<T> => JSON.parse(await succeed(`${args} --json`)) as T

test('stores credentials for their owner alone, and does not store a wrong secret', async () => {
  expect(statSync(cli.credentialsFile).mode & 0o777).toBe(0o600)
  const stored = readFileSync(cli.credentialsFile, 'utf8')
  const wrong = `login partner --profile other --base-url ${platform.baseUrl} --client-id ${partner.clientId}`
  const { code, stderr } = await cli.run(wrong, { stdin: 'wrong' })
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^causeway: 401 invalid_client: The client is unknown .* \[req_\w+\]\n$/),
  ])
  expect(readFileSync(cli.credentialsFile, 'utf8')).toBe(stored)
})

test('shows by whoami whose credentials are used, and prefers those of the environment', async () => {
  expect(await json('whoami')).toEqual({
    base_url: platform.baseUrl,
    sandbox_url: platform.sandboxUrl,
    partner: expect.stringContaining(`${partner.partnerId}, client ${partner.clientId}, `),
    staff: `key …${platform.operatorKey.slice(-4)}`,
  })
  const env = { CAUSEWAY_STAFF_KEY: 'op_wrong' }
  const { stdout } = await cli.run('whoami --json', { env })
  expect(JSON.parse(stdout)).toMatchObject({ staff: 'not accepted (unauthorized)' })
})

test('does not send a stored credential to another platform', async () => {
  const env = { CAUSEWAY_BASE_URL: platform.sandboxUrl }
  expect(await cli.run('customers list', { env })).toMatchObject({ code: 3, stdout: '' })
})

test('creates, lists and shows customers', async () => {
  type Customer = { partner_customer_id: string; customer: { email: string } }
  const made = await json<Customer>('customers create --external-id s-1 --email ada@example.com')
  expect(made.customer.email).toBe('ada@example.com')
  expect(await json('customers list')).toContainEqual(made)
  expect(await json<Customer[]>('customers list --limit 1')).toHaveLength(1)
  expect(await json(`customers show ${made.partner_customer_id}`)).toMatchObject({
    ...made,
    capabilities: expect.arrayContaining([expect.objectContaining({ capability: 'payments.crypto' })]),
  })
  const { partner_customer_id: id } = made
  expect(await succeed(`customers onboard ${id}`)).toBe(`${id} is verified.\n`)
  expect(await json(`customers onboard ${id}`)).toMatchObject({ status: 'approved' })
  expect(await cli.run('customers show pcu_none')).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^causeway: 404 resource_not_found: .* \[req_\w+\]\n$/),
  })
})

test('creates, lists and shows crypto orders and card orders', async () => {
  const crypto = await json<{ id: string; reference: string }>(
    `orders create ${customer} --amount 25 --reference i-1 --network BTC --asset BTC`,
  )
  const card = await json<{ order_key: string; total_cents: number }>(
    `orders create ${customer} --kind card --amount 100.50 --fee-payer merchant`,
  )
  expect([crypto.reference, card.total_cents]).toEqual(['i-1', 10_050])
  const listed = await json<object[]>(`orders list ${customer}`)
  expect(listed).toEqual([
    expect.objectContaining({ rail: 'fiat', order_key: card.order_key }),
    expect.objectContaining({ rail: 'crypto', id: crypto.id }),
  ])
  expect(await json<object[]>(`orders list ${customer} --kind crypto`)).toHaveLength(1)
  expect(await json(`orders show ${crypto.id}`)).toMatchObject({ id: crypto.id, status: 'pending' })
  expect(await json(`orders show ${card.order_key}`)).toMatchObject(card)
})

test('prints a table without colours and with whole values into a pipe', async () => {
  const lines = (await succeed(`orders list ${customer}`)).split('\n')
  expect(lines[0]).toMatch(/^ORDER +KIND +STATUS +AMOUNT +REFERENCE +CREATED$/)
  expect(lines.join('')).not.toMatch(/[\u001b…]/)
  expect(lines[2]).toMatch(/^ord_\w{26} {2}crypto {2}pending /)
})

test('splits a card order with another customer, and says what to enter for a share without an amount', async () => {
  const other = await json<{ partner_customer_id: string }>(
    'customers create --external-id s-9 --email carl@example.com',
  )
  const receiver = other.partner_customer_id
  const create = `orders create ${customer} --kind card --amount 100 --reference split-1`
  expect(await json(`${create} --split ${receiver}=12.50`)).toMatchObject({
    partner_fee_cents: 0,
    splits: [{ partner_customer_id: receiver, amount_cents: 1_250, reference: null }],
  })
  expect((await cli.run(`${create} --split ${receiver}`)).stderr).toContain('pcu_…=12.50')
  expect(await cli.run(`${create} --partner-fee 1`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('partner_fee_cents'),
  })
})

test('refunds a card order in part, and says why a refund is refused', async () => {
  const { order_key: key } = await json<{ order_key: string }>(
    `orders create ${customer} --kind card --amount 100`,
  )
  dataOf(await platform.sandbox.post(`/control/card-payments/${key}`, { outcome: 'completed' }))
  const statusOf = async () => (await json<{ status: string }>(`orders show ${key}`)).status
  await eventually(async () => (await statusOf()) !== 'pending')
  expect(await statusOf()).toBe('paid')
  const refunded = `orders refund ${key} --amount 40 --idempotency-key refund-1`
  expect(await succeed(refunded)).toBe(
    `Refunded 40.00 EUR of order ${key}; 57.50 EUR can still be refunded.\n`,
  )
  expect(await json(refunded)).toMatchObject({ refunded_cents: 4_000 })
  expect(await cli.run(`orders refund ${key} --amount 57.51`)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^causeway: 409 amount_exceeds_remaining: .* remaining_refundable_cents 5750 \[req_\w+\]\n$/,
    ),
  })
  expect((await cli.run(`orders refund ${key}`)).stderr).toBe(
    'causeway: Name the amount, such as --amount 40\n',
  )
})

type Shown = { event_id: string; payload: Record<string, unknown> }

test('triggers every event of the catalogue, or says why it cannot', async () => {
  const names = (await json<{ name: string }[]>('trigger --list')).map(({ name }) => name)
  expect(names.toSorted()).toEqual([...PARTNER_EVENT_TYPES, ...MERCHANT_EVENTS].sort())
  const failure = async (args: string) => (await cli.run(`trigger ${args}`)).stderr
  expect(await failure('agreement.accepted')).toMatch(
    /^causeway: No agreement is published, .* \/api\/operator/,
  )
  expect(await failure('ramping.kyc_pending')).toMatch(/allow that with --move-clock\n$/)
  expect(await failure('test')).toMatch(
    /^causeway: This needs a merchant's API key: run causeway login merchant/,
  )
  expect(await failure('payment.lost')).toMatch(/^causeway: There is no event payment\.lost: /)
  await publishAgreement(platform)
  expect(await failure('payout.settled')).toMatch(/^causeway: A bank statement settles a payout: import one/)
  for (const name of names.filter((event) => event !== 'test' && event !== 'payout.settled')) {
    const { payload } = await json<Shown>(`trigger ${name} --move-clock`)
    expect([name, payload['event_type'] ?? payload['event']]).toEqual([name, name])
  }
})

test('lists and shows events, and sends one again', async () => {
  const receiver = await startReceiver()
  const webhookId = await registerReceiver(platform, partner.partnerId, receiver)
  const { event_id: id, payload } = await json<Shown>('trigger customer.updated')
  expect(await json<Shown[]>('events list --type customer.updated --limit 1')).toMatchObject([
    { event_id: id },
  ])
  expect(await json(`events show ${id}`)).toMatchObject({ event_id: id, payload })
  const received = () => receiver.deliveries.filter(({ event }) => event.event_id === id).length
  await eventually(() => received() === 1)
  expect(await succeed(`events resend ${id}`)).toBe(`customer.updated ${id} is sent again to ${webhookId}.\n`)
  await eventually(() => received() === 2)
  const [head, row] = (await succeed('deliveries --type customer.updated --limit 1')).split('\n')
  expect(head).toMatch(/^EVENT +TYPE +STATUS +TRIES +LAST +NEXT$/)
  expect(row).toMatch(new RegExp(`^${id} {2}customer\\.`))
  await platform.staff.delete(`/api/operator/partners/${partner.partnerId}/webhooks/${webhookId}`)
  await receiver.stop()
  expect((await cli.run('deliveries')).stderr).toBe(
    `causeway: There is no webhook of partner ${partner.partnerId}: run causeway listen\n`,
  )
})

test('lets a merchant read its own events with its key, and request a sample', async () => {
  const { customer_id: merchantId } = await json<{ customer_id: string }>(`customers show ${customer}`)
  const { api_key: key } = dataOf<{ api_key: string }>(
    await platform.staff.post(`/api/operator/merchants/${merchantId}/api-keys`),
  )
  const shop = createCommandLine()
  const login = `login merchant --base-url ${platform.baseUrl}`
  expect(await shop.run(login, { stdin: `${key}\n` })).toMatchObject({ code: 0, stderr: '' })
  const { event_id: id } = await json<Shown>(`trigger pending --customer ${customer}`)
  const { stdout } = await shop.run('events list --json --limit 1')
  expect(JSON.parse(stdout)).toMatchObject([{ event_id: id, event_type: 'pending' }])
  await createMerchantClient({ baseUrl: platform.baseUrl, apiKey: key }).createWebhook({
    body: { url: 'http://127.0.0.1:9/' },
  })
  expect((await shop.run('trigger test')).stdout).toMatch(/^test was sent to whk_\w+: not accepted\n$/)
  shop.remove()
})

test('moves the clock forward', async () => {
  const { now } = await json<{ now: string }>('clock show')
  const { now: later } = await json<{ now: string }>('clock advance 1h30m')
  expect(Math.round((Date.parse(later) - Date.parse(now)) / 3_600_000)).toBe(2)
})

test('forgets the profile at logout', async () => {
  const other = createCommandLine()
  const { code } = await other.run(`login staff --base-url ${platform.baseUrl} --profile p`, {
    stdin: platform.operatorKey,
  })
  expect([code, (await other.run('logout --profile p')).stdout]).toEqual([0, 'Profile p was deleted.\n'])
  expect((await other.run('whoami --profile p')).code).toBe(3)
  other.remove()
})
