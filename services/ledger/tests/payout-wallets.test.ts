import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { payoutWallets, type PayoutWallet } from '@causeway/contracts'
import { ethereumWallet } from '@causeway/rails/tests/signing-wallets'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startForTests, type RunningLedger } from './running-ledger.ts'

const HOUR_MS = 3_600_000
const IBAN = 'DE89370400440532013000'
const BANK = { kind: 'iban', iban: 'de89 3704 0044 0532 0130 00', holder_name: 'Müller & Söhne GmbH' }

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

type Customer = Readonly<{ partnerId: string; customerId: string; merchantId: string }>
const newCustomer = (): Customer => {
  const state = ledger.onboarding.relate({ grants: ['payout_wallets', 'wallets'] })
  return {
    partnerId: state.partner_id,
    customerId: state.partner_customer_id,
    merchantId: state.customer_id,
  }
}
const add = (
  { partnerId, customerId }: Customer,
  body: object = BANK,
  idempotencyKey: string = newId('request'),
) => ledger.asPartner(payoutWallets.create, partnerId, { params: { customerId }, body, idempotencyKey })
const added = async (customer: Customer, body?: object): Promise<PayoutWallet> => {
  const answer = await add(customer, body)
  if (!answer.ok) throw new Error(`${answer.code} ${JSON.stringify(answer.details)}`)
  return answer.value.payout_wallet
}
const at = ({ customerId }: Customer, payoutWalletId: string) => ({ params: { customerId, payoutWalletId } })
const get = (customer: Customer, id: string) =>
  ledger.asPartner(payoutWallets.get, customer.partnerId, at(customer, id))
const statusOf = async (customer: Customer, id: string) => {
  const answer = await get(customer, id)
  return answer.ok ? answer.value.payout_wallet.status : answer.code
}
const remove = (customer: Customer, id: string) =>
  ledger.asPartner(payoutWallets.delete, customer.partnerId, at(customer, id))
const prove = (customer: Customer, id: string, signature: string) =>
  ledger.asPartner(payoutWallets.prove, customer.partnerId, {
    ...at(customer, id),
    body: { signature },
    idempotencyKey: newId('request'),
  })
const confirm = (payoutWalletId: string) =>
  ledger.asStaff(payoutWallets.confirm, { params: { payoutWalletId } })
const addressOf = (address: string, change: object = {}) => ({
  ...{ kind: 'address', network: 'ETH', asset: 'USDC', address },
  ...change,
})
const eventsOf = async (id: string) =>
  (await ledger.events()).filter((event) => JSON.stringify(event).includes(id))
/** Every text that the database holds in a table. */
const textOf = async (table: string) => JSON.stringify(await ledger.sql(`SELECT * FROM ${table}`))

test('adds a bank account that shows its country and last digits alone, and announces it on both channels', async () => {
  const customer = newCustomer()
  const wallet = await added(customer)
  expect(wallet).toEqual({
    payout_wallet_id: expect.stringMatching(/^pwt_/),
    partner_customer_id: customer.customerId,
    kind: 'iban',
    unit: 'EUR',
    masked: 'DE•• •••• 3000',
    address: null,
    status: 'waiting',
    confirmed_at: null,
    proved_at: null,
    usable_from: new Date(Date.parse(wallet.created_at) + 24 * HOUR_MS).toISOString(),
    proof: null,
    refusal_reason: null,
    created_at: expect.any(String),
  })
  const [event] = await eventsOf(wallet.payout_wallet_id)
  expect(event).toMatchObject({
    name: 'payout_wallet.added',
    partners: [
      {
        partner_id: customer.partnerId,
        partner_customer_id: customer.customerId,
        data: { masked: 'DE•• •••• 3000', status: 'waiting' },
      },
    ],
    merchant: {
      merchant_id: customer.merchantId,
      event: 'payout_wallet_added',
      body: { payoutWallet: { masked: 'DE•• •••• 3000', usableFrom: wallet.usable_from } },
    },
  })
})

test('seals the IBAN and the name of its holder, and writes them nowhere else', async () => {
  await added(newCustomer())
  for (const table of ['payout_wallets', 'idempotency_keys', 'outbox_events']) {
    const text = await textOf(table)
    expect(text).toContain('DE•• •••• 3000')
    expect(text).not.toContain(IBAN)
    expect(text).not.toMatch(/M[uü]ller/)
  }
})

test('replays a request that is repeated with its key, and refuses the key for another one', async () => {
  const customer = newCustomer()
  const [first, second] = [await add(customer, BANK, 'key-1'), await add(customer, BANK, 'key-1')]
  expect(second).toMatchObject({ ok: true, value: first.ok && first.value })
  expect(await add(customer, { ...BANK, holder_name: 'Somebody Else' }, 'key-1')).toMatchObject({
    ok: false,
    code: 'idempotency_key_reuse',
  })
  const list = await ledger.asPartner(payoutWallets.list, customer.partnerId, {
    params: { customerId: customer.customerId },
  })
  expect(list).toMatchObject({ value: { payout_wallets: [{ kind: 'iban' }] } })
})

test.each([
  ['a wrong checksum', { ...BANK, iban: 'DE88370400440532013000' }, 'iban'],
  ['a name in another alphabet', { ...BANK, holder_name: 'Иван' }, 'holder_name'],
  ['a BIC of 9 characters', { ...BANK, bic: 'COBADEFFX' }, 'bic'],
  ['an address of another network', addressOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'), 'address'],
  ['an address with a wrong checksum', addressOf('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), 'address'],
  ['an address with a Cyrillic letter', addressOf('0х5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), 'address'],
  [
    'an asset of another network',
    addressOf('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', { asset: 'BTC' }),
    'asset',
  ],
])('refuses a destination with %s', async (_, body, field) => {
  expect(await add(newCustomer(), body)).toMatchObject({
    ok: false,
    code: 'invalid_request',
    details: [{ field, reason: 'invalid_value' }],
  })
})

test('refuses the platform’s own address in every spelling', async () => {
  const { address } = ethereumWallet()
  ledger.payments.own.add(address)
  for (const spelled of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
    expect(await add(newCustomer(), addressOf(spelled))).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'address', reason: 'forbidden_address' }],
    })
})

test('shows the canonical spelling of an address, whole', async () => {
  const { address } = ethereumWallet()
  const wallet = await added(newCustomer(), addressOf(address.toLowerCase()))
  expect(wallet).toMatchObject({
    unit: 'ETH/USDC',
    address,
    masked: `${address.slice(0, 6)}…${address.slice(-4)}`,
    proof: { message: expect.stringContaining(address) },
  })
})

test('activates a proved address when its waiting time is over, without staff, and announces it', async () => {
  const customer = newCustomer()
  const { address, sign } = ethereumWallet()
  const { payout_wallet_id: id, proof } = await added(customer, addressOf(address))
  const proved = await prove(customer, id, await sign(proof?.message ?? ''))
  expect(proved).toMatchObject({
    value: { payout_wallet: { status: 'waiting', proved_at: expect.any(String), proof: null } },
  })
  ledger.clock.advance(24 * HOUR_MS)
  await eventually(async () => (await statusOf(customer, id)) === 'active')
  expect((await eventsOf(id)).map(({ name, merchant }) => [name, merchant?.event])).toEqual([
    ['payout_wallet.added', 'payout_wallet_added'],
    ['payout_wallet.active', undefined],
  ])
})

test('leaves a destination waiting that nobody has vouched for, and activates it with the confirmation', async () => {
  const customer = newCustomer()
  const { payout_wallet_id: id } = await added(customer)
  const { payout_wallet_id: other } = await added(customer)
  await confirm(other)
  ledger.clock.advance(24 * HOUR_MS)
  await eventually(async () => (await statusOf(customer, other)) === 'active')
  expect(await statusOf(customer, id)).toBe('waiting')
  const answers = [await confirm(id), await confirm(id)]
  expect(answers.map((answer) => answer.ok && answer.value.payout_wallet.status)).toEqual([
    'active',
    'active',
  ])
  expect((await eventsOf(id)).map(({ name }) => name)).toEqual([
    'payout_wallet.added',
    'payout_wallet.active',
  ])
})

test('refuses a proof that was made for another wallet, relationship, address or message', async () => {
  const [customer, other] = [newCustomer(), newCustomer()]
  const { address, sign } = ethereumWallet()
  const first = await added(customer, addressOf(address))
  const second = await added(customer, addressOf(address))
  const foreign = await added(other, addressOf(address))
  const stranger = ethereumWallet()
  const wrong = [
    await sign(second.proof?.message ?? ''),
    await sign(foreign.proof?.message ?? ''),
    await stranger.sign(first.proof?.message ?? ''),
    await sign('Pay me'),
    '0x',
  ]
  for (const signature of wrong)
    expect(await prove(customer, first.payout_wallet_id, signature)).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'signature', reason: 'invalid_value' }],
    })
  expect(await get(customer, first.payout_wallet_id)).toMatchObject({
    value: { payout_wallet: { proved_at: null } },
  })
})

test('requires no proof for a bank account: it answers that its state does not allow one', async () => {
  const customer = newCustomer()
  const { payout_wallet_id: id } = await added(customer)
  expect(await prove(customer, id, '0x00')).toMatchObject({ code: 'invalid_state' })
})

test('lets staff refuse a destination for good, an active one too', async () => {
  const customer = newCustomer()
  const { payout_wallet_id: id } = await added(customer)
  const refuse = (reason: string) =>
    ledger.asStaff(payoutWallets.refuse, { params: { payoutWalletId: id }, body: { reason } })
  await refuse('The customer does not know this account')
  expect(await refuse('Again')).toMatchObject({
    value: {
      payout_wallet: { status: 'refused', refusal_reason: 'The customer does not know this account' },
    },
  })
  expect(await confirm(id)).toMatchObject({ code: 'invalid_state', details: [{ from: 'refused' }] })
  ledger.clock.advance(48 * HOUR_MS)
  expect(await statusOf(customer, id)).toBe('refused')
})

test('lists for staff the destinations that wait, oldest first, in pages', async () => {
  const customer = newCustomer()
  const ids = [await added(customer), await added(customer), await added(customer)].map(
    (each) => each.payout_wallet_id,
  )
  const found: string[] = []
  let cursor: string | null = null
  do {
    const query: { limit: string; cursor?: string } = { limit: '2', ...(cursor !== null && { cursor }) }
    const page = await ledger.asStaff(payoutWallets.listByStaff, { query })
    if (!page.ok) throw new Error(page.code)
    found.push(...page.value.payout_wallets.map((each) => each.payout_wallet_id))
    cursor = page.value.next_cursor
  } while (cursor !== null)
  expect(found.filter((id) => ids.includes(id))).toEqual(ids)
})

test('deletes a destination, forgets what it named, and keeps its shortened form', async () => {
  const customer = newCustomer()
  const { payout_wallet_id: id } = await added(customer)
  expect(await remove(customer, id)).toMatchObject({ ok: true })
  expect([await statusOf(customer, id), await remove(customer, id)]).toMatchObject([
    'resource_not_found',
    { code: 'resource_not_found' },
  ])
  await eventually(async () => {
    const [row] = await ledger.sql('SELECT * FROM payout_wallets WHERE payout_wallet_id = $1', [id])
    return row?.['erased_at'] !== null
  })
  const [row] = await ledger.sql('SELECT * FROM payout_wallets WHERE payout_wallet_id = $1', [id])
  expect(row).toMatchObject({ account_sealed: null, masked: 'DE•• •••• 3000' })
  expect(await ledger.sql('SELECT * FROM data_keys WHERE subject = $1', [id])).toEqual([])
  expect((await eventsOf(id)).map(({ name }) => name)).toEqual([
    'payout_wallet.added',
    'payout_wallet.deleted',
  ])
})

test('erases the destinations of a relationship whose personal data is erased', async () => {
  const [customer, control] = [newCustomer(), newCustomer()]
  const ids = [(await added(customer)).payout_wallet_id, (await added(customer)).payout_wallet_id]
  const { payout_wallet_id: kept } = await added(control)
  const state = ledger.onboarding.relate({ status: 'revoked', version: 2 }, customer.customerId)
  await ledger.onboarding.publish({ ...state, erased: true })
  await ledger.onboarding.publish(
    ledger.onboarding.relate({ status: 'revoked', version: 2 }, control.customerId),
  )
  const rowsOf = (payoutWalletIds: readonly string[]) =>
    ledger.sql('SELECT * FROM payout_wallets WHERE payout_wallet_id = ANY ($1)', [payoutWalletIds])
  await eventually(async () => (await rowsOf(ids)).every((row) => row['erased_at'] !== null))
  expect(await rowsOf(ids)).toMatchObject([{ account_sealed: null }, { account_sealed: null }])
  expect(await ledger.sql('SELECT * FROM data_keys WHERE subject = ANY ($1)', [ids])).toEqual([])
  expect(await rowsOf([kept])).toMatchObject([{ deleted_at: null, erased_at: null }])
})

test('allows 20 destinations a customer, however many are added at the same time', async () => {
  const customer = newCustomer()
  const answers = await Promise.all(Array.from({ length: 24 }, () => add(customer)))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(20)
  expect(await add(customer)).toMatchObject({
    code: 'limit_reached',
    details: [{ resource: 'payout_wallets', limit: 20 }],
  })
  const [newest] = answers.flatMap((answer) =>
    answer.ok ? [answer.value.payout_wallet.payout_wallet_id] : [],
  )
  await remove(customer, newest ?? '')
  expect(await add(customer)).toMatchObject({ ok: true })
})

test('shows a destination to no other partner, and to none once the relationship is revoked', async () => {
  const customer = newCustomer()
  const { payout_wallet_id: id } = await added(customer)
  const other = { ...customer, partnerId: newId('partner') }
  const answers = [
    await get(other, id),
    await remove(other, id),
    await prove(other, id, '0x00'),
    await add(other),
  ]
  expect(answers.map((answer) => !answer.ok && answer.code)).toEqual(Array(4).fill('resource_not_found'))
  const elsewhere = newCustomer()
  expect(await get(elsewhere, id)).toMatchObject({ code: 'resource_not_found' })
})

test('activates no destination of a relationship that was revoked meanwhile', async () => {
  const customer = newCustomer()
  const { payout_wallet_id: id } = await added(customer)
  await confirm(id)
  await ledger.onboarding.publish(
    ledger.onboarding.relate(
      { status: 'revoked', version: 2, grants: ['payout_wallets'] },
      customer.customerId,
    ),
  )
  await eventually(async () => (await statusOf(customer, id)) === 'resource_not_found')
  const control = newCustomer()
  const { payout_wallet_id: controlId } = await added(control)
  await confirm(controlId)
  ledger.clock.advance(24 * HOUR_MS)
  await eventually(async () => (await statusOf(control, controlId)) === 'active')
  const [row] = await ledger.sql('SELECT status FROM payout_wallets WHERE payout_wallet_id = $1', [id])
  expect(row).toEqual({ status: 'waiting' })
})
