import type { Entry } from '../journal.ts'
import type { Scenario } from './scenario.ts'

const idIn = ({ data }: Entry): string | undefined => (data['order'] as { id?: string } | undefined)?.id

/** Creates an order, sometimes twice concurrently, and pays it, cancels it, pays it by an onramp, or leaves it. */
export const cryptoOrder: Scenario = async ({ random, name, partner, shop, sessions, pause }) => {
  const body = {
    reference: name,
    network: random.pick(['BTC', 'LTC', 'ETH', 'SOL']),
    amount: '50.00',
    currency: 'EUR',
    email: 'buyer@example.com',
  }
  const asked = { act: 'crypto.create', key: name } as const
  const request = {
    method: 'post',
    path: `${shop.path}/orders`,
    body: { ...body, asset: body.network },
  } as const
  const create = () => partner.insist(asked, request)
  const [made] = await Promise.all(random.chance(0.2) ? [create(), create()] : [create()])
  if (random.chance(0.2)) await create()
  const id = idIn(made)
  if (id === undefined) return

  const path = `/api/v1/partner/orders/${id}`
  const read = () => partner.insist({ act: 'crypto.read', about: id }, { method: 'get', path })
  const cancel = () =>
    partner.insist({ act: 'crypto.cancel', about: id }, { method: 'post', path: `${path}/cancel` })
  // Never repeated: one whose answer was lost may have happened.
  const deposit = () =>
    sessions.outside.send(
      { act: 'outside.deposit', about: id },
      { method: 'post', path: '/control/deposits', body: { order_id: id } },
    )
  const buy = async () => {
    const bought = await partner.insist(
      { act: 'crypto.onramp', about: id },
      { method: 'post', path: `${path}/onramp`, body: { fiat: 'EUR' } },
    )
    const onramp = (bought.data['onramp'] as { id?: string } | undefined)?.id
    if (onramp === undefined) return
    const status = random.pick(['completed', 'declined', 'paymentReceived'])
    await sessions.outside.send(
      { act: 'outside.onramp', about: id },
      { method: 'post', path: `/control/onramp/${onramp}`, body: { status } },
    )
  }
  await read()
  const end = random.fraction()
  if (end < 0.45) await deposit()
  else if (end < 0.6) await cancel()
  else if (end < 0.7) await Promise.all([deposit(), cancel(), read()])
  else if (end < 0.85) await buy()
  await pause(random.integer(50, 400))
  await Promise.all([read(), read()])
}
