import type { PendingAction, StaffRole, UnattributedMoney } from '@causeway/contracts'
import { describe, expect, test } from '@jest/globals'
import { formWith } from '../../../form-state.ts'
import { moneyPage } from './view.ts'

const ID = 'umy_01m8shxagpa6kxdfz0rd9ps29j'
const ORDER = 'ord_01m8shxagpa6kxdfz0rd9ps29j'
const ADDRESS = 'bc1qexampleexampleexampleexampleexample'

/** An amount of which nothing is known but what it is. */
const moneyWith = (change: Partial<UnattributedMoney>): UnattributedMoney => ({
  unattributed_money_id: ID,
  kind: 'unknown',
  unit: 'XRP/XRP',
  amount: '12.5',
  order_id: null,
  order_key: null,
  order_status: null,
  reference: null,
  customer_id: null,
  partner_id: null,
  partner_customer_id: null,
  network: 'XRP',
  address: null,
  sender: null,
  tx_id: null,
  output_index: null,
  block_number: null,
  processor: null,
  processor_order_id: null,
  received_at: '2026-11-24T07:43:00.000Z',
  status: 'open',
  ended_by: null,
  ended_at: null,
  reason: null,
  ended_tx_id: null,
  ...change,
})
const OF_ORDER = {
  order_id: ORDER,
  order_status: 'paid',
  network: 'BTC',
  unit: 'BTC/BTC',
  address: ADDRESS,
} as const
const OF_CARD = {
  kind: 'card_mismatch',
  unit: 'EUR',
  amount: 1_250,
  order_key: '1001',
  order_status: 'pending',
  network: null,
  processor: 'stripe',
} as const

const WAITING = {
  pending_action_id: 'pac_1',
  requested_by: 'stk_1',
  requested_by_name: 'Alice Ops',
} as PendingAction

const notFound = async () => ({ ok: false, code: 'resource_not_found' }) as const
const NO_PEOPLE = {
  list: notFound,
  invite: notFound,
  update: notFound,
  remove: notFound,
  getPreferences: notFound,
  updatePreferences: notFound,
}

type Shown = Readonly<{
  role?: StaffRole
  waiting?: PendingAction | null
  refund?: Parameters<typeof moneyPage>[0]['refund']
}>

const pageOf = (
  change: Partial<UnattributedMoney>,
  { role = 'finance', waiting = null, refund }: Shown = {},
) =>
  moneyPage({
    session: {
      principal: { kind: 'staff', actor: 'stk_2', role },
      formToken: 'token',
      brand: null,
      readLogo: async () => null,
      listOwn: async () => [],
      people: NO_PEOPLE,
      endOwn: async () => true,
    },
    money: moneyWith(change),
    refund,
    waiting,
    staffActions: { moments: [], isWhole: true },
    names: new Map(),
    state: formWith(),
  })
    .toString()
    .replaceAll(/\s+/g, ' ')

/** Where the forms of a page lead, without the one that signs out. */
const formsOf = (page: string): string[] =>
  [...page.matchAll(/<form method="\w+" action="([^"]+)"/g)].flatMap(([, path = '']) =>
    path === '/console/sign-out' ? [] : [path.slice(`/console/unattributed-money/${ID}/`.length)],
  )

describe('the page of an amount that counts for no order', () => {
  test('shows what is known of money without order, address and sender, and requires the order to apply it to', () => {
    const page = pageOf({})
    expect(page).toContain('<strong>12.5 XRP</strong> arrived on')
    expect(page).toContain('It belongs to no order.')
    expect(page).not.toMatch(/null|undefined|the address below/)
    expect(page).toContain('name="order_id"')
    expect(formsOf(page)).toEqual(['refund', 'apply', 'keep', 'handled'])
  })

  test('links to the order of a deposit, and requires no order', () => {
    const page = pageOf({ ...OF_ORDER, kind: 'second', amount: '0.0003', reference: 'Invoice <7>' })
    expect(page).toContain(`<a href="/console/orders/${ORDER}">`)
    expect(page).toContain('(Invoice &lt;7&gt;)')
    expect(page).toContain(`<code>${ADDRESS}</code>`)
    expect(page).not.toContain('name="order_id"')
  })

  test('shows a card payment of another amount in major units, and offers neither a refund to an address nor to apply it', () => {
    const page = pageOf(OF_CARD)
    expect(page).toContain('€12.50')
    expect(page).not.toContain('1250')
    expect(page).toContain('<a href="/console/card-orders/1001">')
    expect(formsOf(page)).toEqual(['keep', 'handled'])
    expect(formsOf(pageOf({ ...OF_CARD, kind: 'card_after_end', order_status: 'expired' }))).toEqual([
      'apply',
      'keep',
      'handled',
    ])
  })

  test('offers no payment to an order that was refunded', () => {
    expect(formsOf(pageOf({ ...OF_ORDER, kind: 'late', order_status: 'refunded' }))).toEqual([
      'refund',
      'keep',
      'handled',
    ])
  })

  test.each([
    ['a viewer', { role: 'viewer' }, {}],
    ['a reviewer', { role: 'reviewer' }, {}],
    ['finance while a refund waits for a second person', { waiting: WAITING }, {}],
    ['finance while it is being sent back', {}, { status: 'refunding' }],
    [
      'finance once it has ended',
      {},
      { status: 'ended', ended_by: 'counted', ended_at: '2026-11-24T08:00:00Z' },
    ],
  ] as const)('offers no action to %s', (_, shown, change) => {
    expect(formsOf(pageOf({ ...OF_ORDER, kind: 'second', ...change }, shown))).toEqual([])
  })

  test('links to the action that waits for a second person', () => {
    const page = pageOf({ ...OF_ORDER, kind: 'second' }, { waiting: WAITING })
    expect(page).toContain('A refund is waiting for a second person.')
    expect(page).toContain('href="/console/pending-actions/pac_1"')
  })

  test('shows why the last refund failed, and offers another one', () => {
    const refund = {
      refund_id: 'rfd_1',
      order_id: ORDER,
      unattributed_money_id: ID,
      network: 'BTC',
      asset: 'BTC',
      from_address: ADDRESS,
      to_address: 'bc1qto',
      amount: '0.0003',
      network_fee: null,
      tx_id: null,
      status: 'failed',
      failure: 'limit_reached',
    } as const
    const page = pageOf({ ...OF_ORDER, kind: 'second' }, { refund })
    expect(page).toContain('The last refund failed')
    expect(page).toContain('<dd>Limit reached</dd>')
    expect(formsOf(page)).toContain('refund')
  })
})
