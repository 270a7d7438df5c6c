import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { catchUp, DEPTH, mineEmpty } from '../blocks/block-fixture.ts'
import { SENDER, startUnknownFixture, type UnknownFixture } from './unknown-fixture.ts'

let fixture: UnknownFixture
beforeAll(async () => {
  fixture = await startUnknownFixture()
})
afterAll(() => fixture.stop())

const words = (rows: readonly { unit: string; amount: string | number; ended_by: string | null }[]) =>
  rows.map(({ amount, unit, ended_by: end }) => `${amount} ${unit} ${end ?? 'open'}`)

describe('money that names no order', () => {
  it('is listed with its account and sender when XRP arrives without a tag', async () => {
    const transfer = fixture.toAccount('XRP', '25.5')
    const { row } = await fixture.arrive(transfer, 'XRP')
    expect(row).toMatchObject({
      kind: 'unknown',
      unit: 'XRP/XRP',
      amount: '25.5',
      order_id: null,
      order_status: null,
      partner_id: null,
      network: 'XRP',
      address: SANDBOX_ACCOUNTS.XRP,
      sender: SENDER,
      tx_id: transfer.txId,
      output_index: 0,
      block_number: 1,
      status: 'open',
      ended_by: null,
    })
  })

  it('is listed at a tag without an order, while the tag of an order pays its order', async () => {
    const order = await fixture.newOrder('XRP')
    const tagged = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV1xvjGQTYPiAx6gwDC'
    const unknown = fixture.toAccount('XRP', '3', {
      address: tagged,
      shared: { address: tagged, sender: SENDER },
    })
    const { chain, reading, row } = await fixture.arrive(unknown, 'XRP')
    expect(row).toMatchObject({ address: tagged, amount: '3' })
    const known = { ...order.pay(), shared: { address: order.address, sender: SENDER } }
    chain.mine([known])
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
    expect(await fixture.listedOf(known)).toEqual([])
  })

  it('waits for the depth of its network, and leaves the list when the chain reverts it', async () => {
    const chain = await fixture.newChain('SOL')
    const reading = fixture.newReading(chain)
    await catchUp(reading)
    const transfer = fixture.toAccount('SOL', '2', { outputIndex: 1_000_000 })
    chain.mine([transfer])
    mineEmpty(chain, DEPTH - 2)
    await catchUp(reading)
    expect(await fixture.listedOf(transfer)).toEqual([])
    chain.mine()
    await catchUp(reading)
    expect(words(await fixture.listedOf(transfer))).toEqual(['2 SOL/SOL open'])
    const [gone] = chain.rewind(DEPTH)
    mineEmpty(chain, DEPTH + 1)
    await catchUp(reading)
    expect(await fixture.listedOf(transfer)).toEqual([])
    expect(words(await fixture.listedOf(transfer, 'ended'))).toEqual(['2 SOL/SOL reverted'])
    chain.mine(gone === undefined ? [] : [gone])
    mineEmpty(chain, DEPTH - 1)
    await catchUp(reading)
    expect(words(await fixture.listedOf(transfer))).toEqual(['2 SOL/SOL open'])
  })

  it('is not listed again once staff have ended it, even if the chain reverts it and it returns', async () => {
    const { id, chain, reading } = await fixture.arrive(fixture.toAccount('SOL', '4'), 'SOL')
    const kept = await fixture.end('keep', id, { reason: 'Nobody asks for it' })
    expect(kept).toMatchObject({ ok: true, value: { unattributed_money: { ended_by: 'kept' } } })
    const gone = chain.rewind(1)
    mineEmpty(chain, 2)
    await catchUp(reading)
    chain.mine(gone)
    await catchUp(reading)
    const [transfer] = gone
    expect(transfer && (await fixture.listedOf(transfer))).toEqual([])
    expect(transfer && words(await fixture.listedOf(transfer, 'ended'))).toEqual(['4 SOL/SOL kept'])
  })

  it('is listed at the address of an order that a restore has lost, and at no other address', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain, 2)
    await catchUp(reading)
    await fixture.skip('LTC', 'ltc1lost', 77)
    const order = await fixture.newOrder()
    const lost = { ...order.pay('0.25'), address: 'ltc1lost' }
    const others = { ...order.pay('0.5'), address: 'ltc1somebody' }
    chain.mine([lost, others])
    await catchUp(reading)
    expect(await fixture.listedOf(lost)).toEqual([])
    chain.mine()
    await catchUp(reading)
    expect(await fixture.listedOf(lost)).toMatchObject([
      { kind: 'unknown', unit: 'LTC/LTC', amount: '0.25', address: 'ltc1lost', sender: null },
    ])
    expect(await fixture.listedOf(others)).toEqual([])
    expect((await fixture.strays()).map(({ txId }) => txId)).not.toContain(others.txId)
  })

  it('is kept but not listed below the minimum of an order on its network', async () => {
    const dust = fixture.toAccount('XRP', '0.000999')
    const { chain, reading } = await fixture.arrive(fixture.toAccount('XRP', '0.001'), 'XRP')
    chain.mine([dust])
    await catchUp(reading)
    expect(await fixture.listedOf(dust)).toEqual([])
    expect(await fixture.strays()).toContainEqual({ txId: dust.txId, amount: '0.000999', isCounted: true })
  })
})
