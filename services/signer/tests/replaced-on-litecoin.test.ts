import { loadSettings } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { fromUnits, toUnits } from '@causeway/rails/networks'
import {
  hasLitecoinNode,
  onLitecoinNode,
  startLitecoinNode,
  type LitecoinNode,
} from '@causeway/rails/tests/litecoin-node'
import { elsewhere, pay } from '@causeway/rails/tests/spending'
import { openTransfers, TRANSFER_SETTINGS, type SignedTransfer } from '@causeway/rails/transfers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { DEPTH, newRefund, startForTests, TEST_SEED, type RunningSigner } from './running-signer.ts'

const testOnNode = hasLitecoinNode ? test : test.skip
const AFTER = 3

let node: LitecoinNode
let signer: RunningSigner
let addressOf: (index: number) => string
beforeAll(async () => {
  if (!hasLitecoinNode) return
  node = await startLitecoinNode()
  const nodes = loadSettings(
    { ...NODE_SETTINGS, ...TRANSFER_SETTINGS },
    { LTC_NODE_URLS: node.url, LTC_CHAIN: 'regtest' },
  )
  const transfers = openTransfers(['LTC'], { seed: TEST_SEED, config: nodes, timeoutMs: 60_000 }).get('LTC')
  if (transfers === undefined) throw new Error('no transfers')
  addressOf = transfers.addressOf
  await transfers.close()
  signer = await startForTests(null, { nodes })
})
afterAll(async () => {
  if (!hasLitecoinNode) return
  await signer.stop()
  await node.stop()
})

/** Mines blocks that take nothing from the mempool. */
const passBy = async (blocks: number, ...rawTransactions: readonly string[]) => {
  for (let block = 0; block < blocks; block += 1)
    await node.rpc('generateblock', await elsewhere(node), block === 0 ? rawTransactions : [])
}
const receivedBy = async (address: string): Promise<string> => {
  const received = await node.wallet<number>('getreceivedbyaddress', address, 1)
  return fromUnits(toUnits(received.toFixed(8), 8), 8)
}
/** The stored versions of a refund, oldest first. */
const versionsOf = async (id: string): Promise<readonly SignedTransfer[]> => {
  const [row] = await signer.sql<{ signed: string; earlier: string }>(
    `SELECT signed, earlier FROM transfers WHERE id = '${id}'`,
  )
  if (!row?.signed) return []
  return [...(JSON.parse(row.earlier) as SignedTransfer[]), JSON.parse(row.signed) as SignedTransfer]
}

let index = 0
/** A refund of 0.3 LTC, from an address that has 0.5, which blocks pass by until it is replaced. */
const replacedRefund = async () => {
  index += 1
  const address = addressOf(index)
  const { txId } = await pay(node, [[address, '0.5']], { fee: '0.00005' })
  await node.mine(1)
  const body = newRefund({
    ...{ network: 'LTC', asset: 'LTC', key_index: index, address, to_address: await elsewhere(node) },
    ...{ amount: '0.3', coins: [{ tx_id: txId, output_index: 0 }] },
  })
  await signer.request(body)
  await signer.becomes(body, 'broadcast')
  await passBy(AFTER)
  const versions = await eventually(async () => {
    const known = await versionsOf(body.refund_id)
    const waiting = await node.rpc<string[]>('getrawmempool')
    return known.length === 2 && waiting.includes(known[1]?.txId ?? '') && known
  })
  const [first, second] = versions
  if (first === undefined || second === undefined) throw new Error('not replaced')
  expect(await node.rpc('getrawmempool')).not.toContain(first.txId)
  return { body, address, first, second }
}

testOnNode(`confirms a replaced refund by its replacement, on ${onLitecoinNode}`, async () => {
  const { body, address, first, second } = await replacedRefund()
  await node.mine(DEPTH)
  expect(await signer.becomes(body, 'confirmed')).toMatchObject({
    ...{ tx_id: second.txId, amount: second.amount, network_fee: second.networkFee },
  })
  expect(await receivedBy(body.to_address)).toBe(second.amount)
  const units = (amount: string) => toUnits(amount, 8)
  expect(units(second.amount) + units(second.networkFee)).toBe(units('0.3'))
  expect(units(second.networkFee)).toBeGreaterThan(units(first.networkFee))
  const { total_amount: left } = await node.rpc<{ total_amount: number }>('scantxoutset', 'start', [
    `addr(${address})`,
  ])
  expect(left).toBe(0.2)
})

testOnNode(
  `confirms a replaced refund by its first version when a reorganisation mines that, on ${onLitecoinNode}`,
  async () => {
    const { body, first, second } = await replacedRefund()
    const [block = ''] = await node.mine(1)
    await node.rpc('invalidateblock', block)
    await passBy(DEPTH, ...first.rawTransactions)
    expect(await signer.becomes(body, 'confirmed')).toMatchObject({
      ...{ tx_id: first.txId, amount: first.amount, network_fee: first.networkFee },
    })
    expect(await receivedBy(body.to_address)).toBe(first.amount)
    expect(first.amount).not.toBe(second.amount)
  },
)

testOnNode('signs nothing for an approved refund that was stored as sent by somebody else', async () => {
  const { first } = await replacedRefund()
  await node.mine(DEPTH)
  index += 1
  const address = addressOf(index)
  const { txId } = await pay(node, [[address, '0.5']], { fee: '0.00005' })
  await node.mine(1)
  const body = newRefund({
    ...{ network: 'LTC', asset: 'LTC', key_index: index, address, to_address: await elsewhere(node) },
    ...{ amount: '0.3', coins: [] },
  })
  await signer.approve(body, { expires_at: new Date(signer.clock.nowMs() + 60_000).toISOString() })
  signer.clock.advance(61_000)
  // The transaction pays as approved, from the coin of the address, and only the wallet's signature is missing.
  const outputs = [{ [body.to_address]: '0.2999' }, { [address]: '0.2' }]
  const input = { txid: txId, vout: 0, sequence: 0xfffffffd }
  const raw = await node.rpc<string>('createrawtransaction', [input], outputs)
  const { txid } = await node.rpc<{ txid: string }>('decoderawtransaction', raw)
  const forged: SignedTransfer = {
    ...first,
    ...{ toAddress: body.to_address, amount: '0.2999', networkFee: '0.0001', txId: txid },
    ...{ rawTransactions: [raw], spends: [`${txId}:0`] },
    sources: [{ index, address, amount: '0.3' }],
  }
  const now = `'${signer.clock.now().toISOString()}'`
  await signer.sql(
    `INSERT INTO transfers (id, purpose, network, asset, to_address, order_id, key_index, amount, status, signed,
       network_fee, created_at, updated_at, due_at)
     VALUES ('${body.refund_id}', 'refund', 'LTC', 'LTC', '${body.to_address}', '${body.order_id}', ${index}, '0.3',
       'broadcast', '${JSON.stringify(forged)}', '0.0001', ${now}, ${now}, ${now})`,
  )
  const dueAt = async () =>
    (await signer.sql<{ due: Date }>(`SELECT due_at AS due FROM transfers WHERE id = '${body.refund_id}'`))[0]
      ?.due
  // Each step moves the time of the next one twice: when it is claimed, and at its end.
  const moves = new Set<number | undefined>()
  await eventually(async () => moves.add((await dueAt())?.getTime()).size > 4)
  expect((await versionsOf(body.refund_id)).map(({ txId: id }) => id)).toEqual([txid])
  expect(await receivedBy(body.to_address)).toBe('0')
})
