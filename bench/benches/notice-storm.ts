import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { createRawClient, dataOf } from '@causeway/dev-env/platform/raw-client'
import { startReceiver, type Receiver } from '../load/receiver-process.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { createCardOrders, withEach } from '../parts/card-orders.ts'
import { createVerifiedCustomers } from '../parts/customers.ts'
import { startProduct, type Product } from '../parts/product.ts'
import { contenderLines } from '../report.ts'
import { integrationOf } from './create-fiat-order.ts'

/** How often the processor posts each notice. */
const COPIES = 10
const WITHIN_MS = 600_000
const LOOK_EVERY_MS = 20
/** Full rounds; each has separate orders, and another one warms up. */
const ROUNDS = 3

/** Counts the notices that the sandbox has yet to post: an acknowledged notice is deleted. */
const watchNotices = (folder: string) => {
  const database = new DatabaseSync(join(folder, 'platform', 'sandbox', 'sandbox.sqlite'), { readOnly: true })
  const count = database.prepare('SELECT count(*) AS waiting FROM card_notices')
  return {
    untilAllAreTaken: async (): Promise<void> => {
      const endsAtMs = performance.now() + WITHIN_MS
      while (count.get()?.['waiting'] !== 0) {
        if (performance.now() > endsAtMs) throw new Error('Notices were still waiting after ten minutes')
        await delay(LOOK_EVERY_MS)
      }
    },
    stop: async () => {
      database.close()
    },
  }
}

/** @throws unless every order is paid and the partner got exactly one event for each */
const verifyEvents = async (
  { partner }: Product,
  receiver: Receiver,
  keys: readonly string[],
): Promise<string> => {
  const arrived = await receiver.until({ events: keys.length, withinMs: WITHIN_MS })
  if (arrived.events !== keys.length)
    throw new Error(`${arrived.events} events arrived for ${keys.length} payments`)
  await withEach(keys, async (key) => {
    const answer = await partner.get(`/api/v1/partner/fiat-orders/${key}`)
    const { order } = dataOf<{ order: { status: string } }>(answer)
    if (order.status !== 'paid') throw new Error(`Order ${key} is ${order.status}`)
  })
  return `nothing lost, nothing doubled: ${keys.length} orders paid, ${arrived.events} events, ${arrived.deliveries} deliveries`
}

/** The partner's destination, which receives one event for each payment. */
const listen = async ({ platform, staff }: Product): Promise<Receiver> => {
  const receiver = await startReceiver()
  const partnerId = String(platform.partner?.partnerId)
  const body = { url: `${receiver.url}/hooks`, event_types: ['payment.confirmed'] }
  dataOf(await staff.post(`/api/operator/partners/${partnerId}/webhooks`, body))
  return receiver
}

const run: Bench['run'] = async (effort, { folder, keep }) => {
  const rounds = effort.quick ? 1 : ROUNDS
  const product = keep(await startProduct(folder))
  const sandbox = createRawClient({ baseUrl: product.platform.sandboxUrl })
  const notices = keep(watchNotices(folder))
  const receiver = await listen(product)
  keep(receiver.child)
  const [customerPath = ''] = await createVerifiedCustomers(product, 1)
  const where = { customerPath, integrationId: await integrationOf(product, customerPath) }
  const batches: string[][] = []
  for (let n = 0; n <= rounds; n += 1)
    batches.push(await createCardOrders(product, where, effort.stormOrders))
  const paid: string[] = []

  await sandbox.put('/control/card-notices', { copies: COPIES })
  const contender: Contender = {
    name: 'product',
    processes: product.processes(['gateway', 'payments', 'webhooks', 'sandbox']),
    run: async () => {
      const keys = batches.shift() ?? []
      const startedMs = performance.now()
      await withEach(keys, async (key) => {
        const answer = await sandbox.post(`/control/card-payments/${key}`, { outcome: 'completed' })
        if (answer.status !== 200) throw new Error(`The sandbox answered ${answer.status}`)
      })
      await notices.untilAllAreTaken()
      paid.push(...keys)
      return { done: keys.length * COPIES, seconds: (performance.now() - startedMs) / 1_000 }
    },
  }
  const results = await measureInTurns([contender], { ...effort, rounds, disturbedRounds: 0 })
  return [
    `${effort.stormOrders * COPIES} notices for ${effort.stormOrders} orders a round`,
    ...contenderLines('notice', results),
    await verifyEvents(product, receiver, paid),
  ]
}

export const noticeStorm: Bench = {
  name: 'notice-storm',
  title:
    'every payment’s notice posted ten times: signed, checked, read again from the processor, counted once',
  run,
}
