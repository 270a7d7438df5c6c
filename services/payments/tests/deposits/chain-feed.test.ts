import { afterEach, describe, expect, it } from '@jest/globals'
import { queryMany, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { startForTests, type RunningPayments } from '../running-payments.ts'
import { startScripted } from '../scripted-http.ts'

const listDeposits = queryMany({
  name: 'test.read-all-deposits',
  text: 'SELECT tx_id, order_id, amount FROM crypto_deposits ORDER BY tx_id',
  row: z.object({ txId: z.string(), orderId: z.string(), amount: z.string() }),
})
const getPosition = queryOne({
  name: 'test.read-position',
  text: 'SELECT position FROM chain_feed',
  row: z.object({ position: z.number() }),
})

type Entry = Readonly<Record<string, unknown>>

/** A fake chain whose feed the test writes, entry by entry, page by page. */
const startScriptedChain = async () => {
  const pages: { deposits: readonly Entry[]; next: number }[] = []
  const watched: string[] = []
  let readers = 0
  const server = await startScripted(async (request, url) => {
    if (request.method === 'POST') {
      watched.push(url.pathname)
      return { status: 200, body: { watching: 1 } }
    }
    readers += 1
    const after = Number(url.searchParams.get('after'))
    const page = pages.find(({ next }) => next !== after)
    if (page) pages.splice(pages.indexOf(page), 1)
    return { status: 200, body: page ?? { deposits: [], next: after } }
  })
  return { ...server, pages, watched, reads: () => readers }
}

let payments: RunningPayments | undefined
let stopChain: (() => Promise<void>) | undefined
afterEach(async () => {
  await payments?.stop()
  await stopChain?.()
  payments = undefined
  stopChain = undefined
})

const startWithScriptedChain = async () => {
  const chain = await startScriptedChain()
  stopChain = chain.stop
  const running = await startForTests({ chainUrl: chain.url })
  payments = running
  return { chain, running }
}
const positionIs = (running: RunningPayments, position: number) =>
  eventually(async () => (await getPosition(running.db))?.position === position)

describe('the feed of deposits', () => {
  it('stores and counts each real deposit once when entries are repeated, reordered or invented', async () => {
    const { chain, running } = await startWithScriptedChain()
    const { partner, customerId } = running.newCustomer()
    const order = await running.newOrder(partner, customerId, { amount: 30 })
    const real = {
      network: 'BTC',
      asset: 'BTC',
      address: order.address,
      tx_id: 'real',
      output_index: 0,
      amount: '0.0002',
      confirmations: 6,
      block_number: 100,
      block_hash: 'b100',
    }
    const page = [
      { ...real, seq: 2 },
      { ...real, seq: 1, confirmations: 0, block_number: null, block_hash: null },
      { ...real, seq: 2 },
      { ...real, seq: 3, tx_id: 'other-output', output_index: 1, amount: '0.0001' },
      { ...real, seq: 4, tx_id: 'nobody', address: 'bc1qnobody' },
      { ...real, seq: 5, tx_id: 'too-fine', amount: '0.000000001' },
      { ...real, seq: 6, tx_id: 'nothing', amount: '0' },
      { ...real, seq: 7, tx_id: 'token', network: 'ETH', asset: 'USDT' },
    ]
    chain.pages.push({ deposits: page, next: 7 })
    await running.becomes(partner, order.id, 'underpaid')
    chain.pages.push({ deposits: [...page.toReversed(), { ...real, seq: 8, amount: '0.0005' }], next: 8 })
    await positionIs(running, 8)
    expect(await listDeposits(running.db)).toEqual([
      { txId: 'other-output', orderId: order.id, amount: '0.0001' },
      { txId: 'real', orderId: order.id, amount: '0.0002' },
    ])
    const events = await running.eventsOf(order.id)
    expect(events.map((event) => [event.name, event.partners[0]?.data['received']])).toEqual([
      ['payment.pending', null],
      ['payment.underpaid', '0.0002'],
      ['payment.underpaid', '0.0003'],
    ])
  })

  it('stores a deposit in another asset at the same address and never counts it', async () => {
    const { chain, running } = await startWithScriptedChain()
    const { partner, customerId } = running.newCustomer()
    const order = await running.newOrder(partner, customerId, { network: 'ETH', asset: 'USDT', amount: 46 })
    const wrong = {
      seq: 1,
      network: 'ETH',
      asset: 'USDC',
      address: order.address,
      tx_id: '0xusdc',
      output_index: 3,
      amount: '50',
      confirmations: 99,
      block_number: 5,
      block_hash: 'b5',
    }
    chain.pages.push({ deposits: [wrong], next: 1 })
    await positionIs(running, 1)
    expect(await listDeposits(running.db)).toEqual([{ txId: '0xusdc', orderId: order.id, amount: '50' }])
    expect(await running.read(partner, order.id)).toMatchObject({ value: { order: { status: 'pending' } } })
  })

  it('is read from its beginning when its log was lost, and every open order is watched again', async () => {
    const { chain, running } = await startWithScriptedChain()
    const { partner, customerId } = running.newCustomer()
    await running.newOrder(partner, customerId)
    await eventually(() => chain.watched.length === 1)
    chain.pages.push({ deposits: [], next: 40 })
    await positionIs(running, 40)
    chain.pages.push({ deposits: [], next: 2 })
    await positionIs(running, 2)
    await eventually(() => chain.watched.length === 2)
  })

  it('is read by one replica at a time; another takes over when the reader stops', async () => {
    const { chain, running } = await startWithScriptedChain()
    await eventually(() => chain.reads() > 0)
    const second = await running.addReplica()
    const [first] = running.replicas.splice(0, 1)
    await first?.stop()
    const before = chain.reads()
    await eventually(() => chain.reads() > before)
    await second.stop()
    running.replicas.splice(0)
    const after = chain.reads()
    chain.pages.push({ deposits: [], next: 9 })
    await running.addReplica()
    await positionIs(running, 9)
    expect(chain.reads()).toBeGreaterThan(after)
  })
})
