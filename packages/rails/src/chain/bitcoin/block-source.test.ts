import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startEsploraServer, type EsploraServer } from '../../../tests/bitcoin/esplora-server.ts'
import {
  hasLitecoinNode,
  type LitecoinNode,
  onLitecoinNode,
  startLitecoinNode,
} from '../../../tests/bitcoin/litecoin-node.ts'
import { elsewhere, pay } from '../../../tests/bitcoin/spending.ts'
import { findPayment, type BlockHeader, type BlockSource, type Transfer } from '../../chains.ts'
import { createDestinations } from '../destinations.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { createBitcoinBlockSource } from './block-source.ts'

const LTC = { network: 'LTC', chain: 'regtest', timeoutMs: TEST_DEADLINE_MS } as const
/** From this block on a peg-in makes the chain's first MWEB block; the one before it must not have any. */
const BEFORE_MWEB = 431

const destinations = createDestinations(SANDBOX_ACCOUNTS, { LTC: 'regtest' })
let nextOrder = 1
const newAddress = () => destinations.derive('LTC', nextOrder++).watchAddress

;(hasLitecoinNode ? describe : describe.skip)(`Bitcoin's form of chain, ${onLitecoinNode}`, () => {
  let node: LitecoinNode
  let esplora: EsploraServer
  const sources = new Map<string, BlockSource>()
  const sourceOf = (name: string): BlockSource => sources.get(name) as BlockSource

  beforeAll(async () => {
    node = await startLitecoinNode()
    esplora = await startEsploraServer(node)
    sources.set('Core', createBitcoinBlockSource({ ...LTC, nodeUrls: [node.url] }))
    const esploraUrls = [esplora.url]
    sources.set('Esplora', createBitcoinBlockSource({ ...LTC, nodeUrls: [], esploraUrls }))
  })
  afterAll(async () => {
    await Promise.all([...sources.values()].map((source) => source.close()))
    await esplora.stop()
    await node.stop()
  })

  const follow = async (source: BlockSource, from: number): Promise<BlockHeader[]> => {
    const blocks: BlockHeader[] = []
    for (let block = await source.next(from); block; block = await source.next(block.number))
      blocks.push(block)
    return blocks
  }
  const receivedBy = (transfers: readonly Transfer[], ...addresses: readonly string[]) =>
    transfers.filter(({ address }) => addresses.includes(address))

  /** Returns the transfers of a block as the node decodes them. */
  const decodedByNode = async (hash: string): Promise<Transfer[]> => {
    type Decoded = {
      tx: {
        txid: string
        vin: { txid?: string; vout?: number }[]
        vout: { value: number; n: number; scriptPubKey: { addresses?: string[] } }[]
      }[]
    }
    const { tx } = await node.rpc<Decoded>('getblock', hash, 2)
    return tx.flatMap(({ txid, vin, vout }) => {
      const spends = vin.flatMap((input) => (input.txid === undefined ? [] : `${input.txid}:${input.vout}`))
      return vout.flatMap(({ value, n, scriptPubKey }) => {
        const [address] = scriptPubKey.addresses ?? []
        if (address === undefined || value === 0) return []
        const amount = value.toFixed(8).replace(/\.?0+$/, '')
        return { asset: 'LTC' as const, address, txId: txid, outputIndex: n, amount, spends }
      })
    })
  }

  describe.each(['Core', 'Esplora'])('%s', (name) => {
    test('verifies its settings at the start', async () => {
      await sourceOf(name).verify()
    })

    test('reads blocks in sequence up to the head, with the node’s own time, linked by their parents', async () => {
      const source = sourceOf(name)
      const head = await source.head()
      const blocks = await follow(source, head.number - 10)
      const { time } = await node.rpc<{ time: number }>('getblockheader', head.hash)
      expect(head.minedAt).toEqual(new Date(time * 1_000))
      expect(blocks).toHaveLength(10)
      expect(blocks.at(-1)).toEqual(head)
      expect(blocks.slice(1).map(({ parentHash }) => parentHash)).toEqual(
        blocks.slice(0, -1).map(({ hash }) => hash),
      )
      expect(await source.next(head.number)).toBeNull()
    })

    test('reads one transaction that pays several orders, and one of them twice', async () => {
      const source = sourceOf(name)
      const [a, b] = [newAddress(), newAddress()]
      const { txId, input } = await pay(node, [
        [a, '0.1'],
        [b, '0.00005463'],
        [a, '12.34567891'],
      ])
      await node.mine(1)
      const found = receivedBy(await source.transfers(await source.head()), a, b)
      const spends = [`${input.txid}:${input.vout}`]
      expect(found).toEqual([
        { asset: 'LTC', address: a, txId, outputIndex: 0, amount: '0.1', spends },
        { asset: 'LTC', address: b, txId, outputIndex: 1, amount: '0.00005463', spends },
        { asset: 'LTC', address: a, txId, outputIndex: 2, amount: '12.34567891', spends },
      ])
    })

    test('gives outputs of every kind the address that the node shows', async () => {
      const source = sourceOf(name)
      const kinds = await Promise.all(
        ['legacy', 'p2sh-segwit', 'bech32'].map((kind) => elsewhere(node, kind)),
      )
      await pay(
        node,
        kinds.map((address) => [address, '0.5']),
      )
      await node.mine(1)
      const head = await source.head()
      const transfers = await source.transfers(head)
      expect(transfers).toEqual(await decodedByNode(head.hash))
      expect(receivedBy(transfers, ...kinds)).toHaveLength(3)
    })

    test('proves what a mined transaction pays, also of a node without an index of transactions', async () => {
      const source = sourceOf(name)
      const address = newAddress()
      const { txId } = await pay(node, [[address, '0.7']])
      const query = { txId, asset: 'LTC', address } as const
      expect(await findPayment(source, query)).toBeNull()
      await node.mine(2)
      const { number } = await source.head()
      expect(await findPayment(source, query)).toEqual({
        blockNumber: number - 1,
        confirmations: 2,
        units: 70_000_000n,
      })
      expect(await findPayment(source, { ...query, address: newAddress() })).toMatchObject({ units: 0n })
      expect(await findPayment(source, { ...query, txId: 'ab'.repeat(32) })).toBeNull()
    })

    test('reports a payment as pending until it is mined', async () => {
      const source = sourceOf(name)
      const address = newAddress()
      const { txId, input } = await pay(node, [[address, '0.7']])
      const spends = [`${input.txid}:${input.vout}`]
      const sighted = [{ asset: 'LTC', address, txId, outputIndex: 0, amount: '0.7', spends }]
      expect(receivedBy(await source.pending(), address)).toEqual(sighted)
      expect(receivedBy(await source.pending(), address)).toEqual(sighted)
      await node.mine(1)
      expect(await source.pending()).toEqual([])
      expect(receivedBy(await source.transfers(await source.head()), address)).toEqual(sighted)
    })

    test('drops a pending payment that was replaced by a payment to somebody else, and reads the replacement in its block', async () => {
      const source = sourceOf(name)
      const [ours, theirs] = [newAddress(), newAddress()]
      const first = await pay(node, [[ours, '1']])
      expect(receivedBy(await source.pending(), ours, theirs)).toMatchObject([
        { address: ours, txId: first.txId },
      ])
      const second = await pay(node, [[theirs, '1']], { input: first.input, fee: '0.01' })
      expect(receivedBy(await source.pending(), ours, theirs)).toMatchObject([
        { address: theirs, txId: second.txId },
      ])
      await node.mine(1)
      const mined = await source.transfers(await source.head())
      expect(receivedBy(mined, ours, theirs)).toMatchObject([{ address: theirs, txId: second.txId }])
    })

    test('reports a replacement with a higher fee as the same payment by another transaction', async () => {
      const source = sourceOf(name)
      const address = newAddress()
      const txId = await node.wallet<string>('sendtoaddress', address, '0.3')
      const { txid: bumped } = await node.wallet<{ txid: string }>('bumpfee', txId)
      expect(receivedBy(await source.pending(), address)).toMatchObject([{ txId: bumped, amount: '0.3' }])
      await node.mine(1)
      expect(receivedBy(await source.transfers(await source.head()), address)).toMatchObject([
        { txId: bumped },
      ])
    })

    test('finds a transaction that is mined again at the same height in the new block', async () => {
      const source = sourceOf(name)
      const address = newAddress()
      const { txId } = await pay(node, [[address, '2']])
      await node.mine(1)
      const before = await source.head()
      await node.rpc('invalidateblock', before.hash)
      // To another miner: the same block once more would be as invalid.
      await node.rpc('generatetoaddress', 1, await elsewhere(node))
      const after = await source.head()
      expect(after).toMatchObject({ number: before.number, parentHash: before.parentHash })
      expect(after.hash).not.toBe(before.hash)
      expect(receivedBy(await source.transfers(after), address)).toMatchObject([{ txId, amount: '2' }])
    })

    test('shows reorganisations of depth 1 to 8 in the parents, and no dropped transfer in a new block', async () => {
      const source = sourceOf(name)
      for (let depth = 1; depth <= 8; depth++) {
        const fork = await source.head()
        const address = newAddress()
        const { txId } = await pay(node, [[address, '0.25']])
        const miner = await elsewhere(node)
        await node.mine(depth)
        const dropped = await follow(source, fork.number)
        expect(receivedBy(await source.transfers(dropped[0] as BlockHeader), address)).toMatchObject([
          { txId },
        ])
        await node.rpc('invalidateblock', dropped[0]?.hash)
        for (let block = 0; block <= depth; block++) await node.rpc('generateblock', miner, [])
        const adopted = await follow(source, fork.number)
        expect(adopted).toHaveLength(depth + 1)
        expect(adopted[0]?.parentHash).toBe(fork.hash)
        expect(
          adopted.map(({ hash }) => hash).filter((hash) => dropped.some((block) => block.hash === hash)),
        ).toEqual([])
        for (const block of adopted) expect(receivedBy(await source.transfers(block), address)).toEqual([])
        expect(receivedBy(await source.pending(), address)).toMatchObject([{ txId }])
        // What was dropped can still be read by its hash.
        expect(receivedBy(await source.transfers(dropped[0] as BlockHeader), address)).toMatchObject([
          { txId },
        ])
        await node.mine(1)
      }
    })
  })

  test('reports amounts that leave Litecoin’s MWEB extension block as transfers, and not those that move within it', async () => {
    const source = sourceOf('Core')
    await node.rpc('createwallet', 'private')
    const hidden = node.walletOf('private')
    await node.mine(BEFORE_MWEB - (await source.head()).number)
    await node.wallet('sendtoaddress', await hidden('getnewaddress', '', 'mweb'), '5')
    await node.mine(2)
    const address = newAddress()
    await hidden('sendtoaddress', await hidden('getnewaddress', '', 'mweb'), '1')
    expect(await source.pending()).toEqual([])
    await node.mine(1)
    await hidden('sendtoaddress', address, '2')
    await node.mine(1)
    for (const block of await follow(source, BEFORE_MWEB)) {
      const transfers = await source.transfers(block)
      const spendable = (await decodedByNode(block.hash)).filter(({ address: to }) => to.startsWith('rltc1q'))
      expect(receivedBy(transfers, ...spendable.map(({ address: to }) => to))).toEqual(spendable)
    }
    expect(receivedBy(await source.transfers(await source.head()), address)).toMatchObject([{ amount: '2' }])
  })
})
