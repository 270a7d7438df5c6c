import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readFileSync, statSync } from 'node:fs'
import { createCommandLine, type CommandLine } from '../../packages/cli/tests/command-line.ts'
import { dataOf } from '../../scripts/platform/raw-client.ts'
import { newCustomer, newPartner, startTestPlatform, type TestPlatform } from './platform.ts'

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
/** The id of a verified customer. */
let customer: string
let cli: CommandLine
beforeAll(async () => {
  platform = await startTestPlatform()
  partner = await newPartner(platform)
  customer = (await newCustomer(platform, partner.api)).split('/').at(-1) ?? ''
  cli = createCommandLine({ CAUSEWAY_SANDBOX_URL: platform.sandboxUrl })
  await succeed(
    `login partner --base-url ${platform.baseUrl} --client-id ${partner.clientId}`,
    partner.clientSecret,
  )
  await succeed('login staff', platform.operatorKey)
})
afterAll(async () => {
  cli.remove()
  await platform.stop()
})

/** What a command prints that must succeed. */
const succeed = async (args: string, stdin = ''): Promise<string> => {
  const { code, stdout, stderr } = await cli.run(args, { stdin })
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return stdout
}
const json = async <T>(args: string): Promise<T> => JSON.parse(await succeed(`${args} --json`)) as T

test('credentials are stored for their owner alone, and a wrong secret is not', async () => {
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

test('whoami says whose credentials are used, and that the environment’s win', async () => {
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

test('a stored credential is not sent to another platform', async () => {
  const env = { CAUSEWAY_BASE_URL: platform.sandboxUrl }
  expect(await cli.run('customers list', { env })).toMatchObject({ code: 3, stdout: '' })
})

test('customers are created, listed and shown', async () => {
  type Customer = { partner_customer_id: string; customer: { email: string } }
  const made = await json<Customer>('customers create --external-id s-1 --email ada@example.com')
  expect(made.customer.email).toBe('ada@example.com')
  expect(await json('customers list')).toContainEqual(made)
  expect(await json<Customer[]>('customers list --limit 1')).toHaveLength(1)
  expect(await json(`customers show ${made.partner_customer_id}`)).toMatchObject({
    ...made,
    capabilities: expect.arrayContaining([expect.objectContaining({ capability: 'payments.crypto' })]),
  })
  expect(await cli.run('customers show pcu_none')).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^causeway: 404 resource_not_found: .* \[req_\w+\]\n$/),
  })
})

test('crypto orders and card orders are created, listed and shown', async () => {
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

test('a table has no colours and at most 80 columns, and ids are whole', async () => {
  const lines = (await succeed(`orders list ${customer}`)).split('\n')
  expect(lines[0]).toMatch(/^ORDER +KIND +STATUS +AMOUNT +REFERENCE +CREATED$/)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)

  expect(lines.join('')).not.toMatch(/\u001b/)
  expect(lines[2]).toMatch(/^ord_\w{26} {2}crypto {2}pending /)
})

test('a card order is refunded in part, and what is refused says why', async () => {
  const { order_key: key } = await json<{ order_key: string }>(
    `orders create ${customer} --kind card --amount 100`,
  )
  dataOf(await platform.sandbox.post(`/control/card-payments/${key}`, { outcome: 'completed' }))
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
  expect((await cli.run(`orders refund ${key}`)).stderr).toBe('causeway: How much? --amount 40\n')
})

test('the clock is moved forward', async () => {
  const { now } = await json<{ now: string }>('clock show')
  const { now: later } = await json<{ now: string }>('clock advance 1h30m')
  expect(Math.round((Date.parse(later) - Date.parse(now)) / 3_600_000)).toBe(2)
})

test('logout forgets the profile', async () => {
  const other = createCommandLine()
  const { code } = await other.run(`login staff --base-url ${platform.baseUrl} --profile p`, {
    stdin: platform.operatorKey,
  })
  expect([code, (await other.run('logout --profile p')).stdout]).toEqual([0, 'Profile p is removed.\n'])
  expect((await other.run('whoami --profile p')).code).toBe(3)
  other.remove()
})
