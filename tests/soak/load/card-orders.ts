import type { Entry } from '../journal.ts'
import type { Scenario } from './scenario.ts'

const keyIn = ({ data }: Entry): string | undefined =>
  (data['order'] as { order_key?: string } | undefined)?.order_key
const statusIn = ({ data }: Entry): string | undefined =>
  (data['order'] as { status?: string } | undefined)?.status

const PRICE_CENTS = 10_000
/** Refundable amount of an order: its price and the fee of 2.5 %, which the payer pays. */
export const MAX_REFUNDABLE_CENTS = 10_250
const AMOUNTS = [2_500, 4_000, 6_250, MAX_REFUNDABLE_CENTS] as const
const READS = 12
/** The most that a partner's fee may be in {@link PRICE_CENTS}, and splits so small that their shares round to nothing. */
const PARTNER_FEES = [1, 333, 1_000] as const
const SPLITS = [1, 2, 3_333, 9_000] as const

/** Shares of an order, in two of three runs: a fee of the partner, a split for another shop, or both. */
const sharesOf = ({ random, party, shop }: Parameters<Scenario>[0]) => {
  const others = party.shops.filter(({ customerId }) => customerId !== shop.customerId)
  return {
    ...(random.chance(0.4) && { partner_fee_cents: random.pick(PARTNER_FEES) }),
    ...(random.chance(0.4) && {
      splits: others.map(({ customerId }) => ({
        partner_customer_id: customerId,
        amount_cents: random.pick(SPLITS),
      })),
    }),
  }
}

/** Creates a card order, sometimes twice concurrently, pays it, refunds it with concurrent calls, and disputes some. */
export const cardOrder: Scenario = async (at) => {
  const { random, name, partner, shop, sessions, pause } = at
  const request = {
    method: 'post',
    path: `${shop.path}/fiat-orders`,
    headers: { 'idempotency-key': name },
    body: {
      integration_id: shop.integrationId,
      amount_cents: PRICE_CENTS,
      currency: 'EUR',
      service_fee_payer: 'customer',
      merchant_reference: name,
      ...sharesOf(at),
    },
  } as const
  const create = () => partner.insist({ act: 'card.create', key: name }, request)
  const [made] = await Promise.all(random.chance(0.25) ? [create(), create()] : [create()])
  if (random.chance(0.25)) await create()
  const order = keyIn(made)
  if (order === undefined) return

  const path = `/api/v1/partner/fiat-orders/${order}`
  const read = () => partner.insist({ act: 'card.read', about: order }, { method: 'get', path })
  await sessions.outside.send(
    { act: 'outside.pay', about: order },
    { method: 'post', path: `/control/card-payments/${order}`, body: { outcome: 'completed' } },
  )
  for (let reads = 0; reads < READS && statusIn(await read()) === 'pending'; reads += 1) await pause(250)

  const refund = (number: number, amountCents: number) =>
    partner.insist(
      { act: 'refund.create', about: order, key: `${name}-refund-${number}`, amountCents },
      {
        method: 'post',
        path: `${path}/refunds`,
        headers: { 'idempotency-key': `${name}-refund-${number}` },
        body: { amount_cents: amountCents },
      },
    )
  const dispute = () =>
    sessions.outside.send(
      { act: 'outside.dispute', about: order },
      { method: 'post', path: `/control/chargebacks/${order}`, body: {} },
    )
  const first = random.pick(AMOUNTS)
  const acts: (() => Promise<unknown>)[] = [() => refund(1, first)]
  if (random.chance(0.3)) acts.push(() => refund(1, first))
  if (random.chance(0.5)) acts.push(() => refund(2, random.pick(AMOUNTS)))
  if (random.chance(0.12)) acts.push(dispute)
  if (random.chance(0.5)) await Promise.all(acts.map((act) => act()))
  else for (const act of acts) await act()
  await Promise.all([read(), read()])
}
