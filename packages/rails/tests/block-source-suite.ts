import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { findPayment, type BlockHeader, type Transfer } from '../src/chains.ts'
import { RailError } from '../src/index.ts'
import { ASSET_DECIMALS, SANDBOX_ACCOUNTS, toUnits } from '../src/networks.ts'
import type { BlockSourceFixture, TestPayment } from './block-source-fixture.ts'
import { createChainReader } from './chain-reader.ts'

/**
 * Guarantees of every source of blocks.
 * @param start a chain with at least one block; all tests of the suite run on it
 */
export const describeBlockSource = (name: string, start: () => Promise<BlockSourceFixture>): void => {
  describe(`block source: ${name}`, () => {
    let fixture: BlockSourceFixture

    beforeAll(async () => {
      fixture = await start()
    })
    afterEach(() => fixture.fault('ok'))
    afterAll(() => fixture.stop())

    /** Where outputs are spent, a transfer names those of its transaction; where orders share an account, that account. */
    const further = () => {
      const { network } = fixture.source
      if (network === 'BTC' || network === 'LTC')
        return { spends: [expect.stringMatching(/^[0-9a-f]{64}:\d+$/)] }
      return network === 'ETH' ? {} : { shared: { address: expect.any(String), sender: expect.any(String) } }
    }
    const paymentOf = async (amount: string, index = 0): Promise<TestPayment> => ({
      asset: fixture.assets[index % fixture.assets.length] ?? 'BTC',
      address: await fixture.newAddress(),
      amount,
    })
    /** Reads what is mined from now on. */
    const readerFromHere = async () => createChainReader(fixture.source, await fixture.source.head())
    const to = (addresses: readonly TestPayment[], transfers: readonly Transfer[]): readonly Transfer[] =>
      transfers.filter(({ address }) => addresses.some((payment) => payment.address === address))
    const failureOf = async (asked: Promise<unknown>): Promise<unknown> => {
      const error: unknown = await asked.then(
        () => null,
        (reason: unknown) => reason,
      )
      return error instanceof RailError ? { failure: error.failure, retryable: error.retryable } : error
    }
    const failureAsValue = (error: unknown): unknown =>
      error instanceof RailError ? { retryable: error.retryable } : error
    const newest = async (): Promise<BlockHeader> => {
      await fixture.mine(1)
      return fixture.source.head()
    }

    test('verifies settings that match the endpoints', async () => {
      await fixture.source.verify()
    })

    test('reads blocks above a number one by one, each the child of the one before it, up to the head', async () => {
      const first = await fixture.source.head()
      await fixture.mine(3)
      const head = await fixture.source.head()
      const found: BlockHeader[] = []
      for (let block: BlockHeader | null = first; block !== null;) {
        block = await fixture.source.next(block.number)
        if (block !== null) found.push(block)
      }
      expect(found.at(-1)).toEqual(head)
      expect(found.length).toBeGreaterThanOrEqual(3)
      expect(found.map(({ parentHash }) => parentHash)).toEqual(
        [first, ...found.slice(0, -1)].map(({ hash }) => hash),
      )
      const times = [first, ...found].map(({ minedAt }) => minedAt.getTime())
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(await fixture.source.next(head.number)).toBeNull()
    })

    test('reports a payment in each asset once, in its block, with all that identifies it', async () => {
      const reader = await readerFromHere()
      const payments = await Promise.all(
        fixture.assets.map((_, index) => paymentOf(index === 0 ? '0.25' : '12.5', index)),
      )
      const ids = await fixture.pay(payments)
      await fixture.mine(2)
      await reader.catchUp()
      const told = reader.blocks.flatMap(({ transfers }) => to(payments, transfers))
      const byAddress = (a: { address: string }, b: { address: string }) => (a.address < b.address ? -1 : 1)
      expect(told.toSorted(byAddress)).toEqual(
        payments
          .map((payment, index) => ({
            ...payment,
            txId: ids[index],
            outputIndex: expect.any(Number),
            ...further(),
          }))
          .toSorted(byAddress),
      )
    })

    test('counts equal payments to one address in one block as separate transfers', async () => {
      const reader = await readerFromHere()
      const payment = await paymentOf('0.5')
      await fixture.pay([payment, payment, payment])
      await fixture.mine(1)
      await reader.catchUp()
      const told = reader.blocks.flatMap(({ transfers }) => to([payment], transfers))
      expect(told.map(({ amount }) => amount)).toEqual(['0.5', '0.5', '0.5'])
      expect(new Set(told.map(({ txId, outputIndex }) => `${txId}/${outputIndex}`)).size).toBe(3)
    })

    test('returns the same transfers for a block each time', async () => {
      const payment = await paymentOf('0.125')
      await fixture.pay([payment])
      const head = await newest()
      const told = await fixture.source.transfers(head)
      expect(to([payment], told)).toHaveLength(1)
      expect(await fixture.source.transfers(head)).toEqual(told)
    })

    test('reports a block that the endpoints do not know as a retryable failure, not as an empty block', async () => {
      const head = await newest()
      // Of its kind, whatever that is: other characters, of those that it has.
      const hash = head.hash.slice(0, 4) + head.hash.slice(4).replace(/./g, head.hash.at(-1) ?? '')
      expect(await failureOf(fixture.source.transfers({ ...head, hash }))).toMatchObject({ retryable: true })
    })

    test('reports pending payments on networks that show them', async () => {
      const payment = await paymentOf('0.75')
      const [txId] = await fixture.pay([payment])
      const sighted = { ...payment, txId, outputIndex: expect.any(Number), ...further() }
      const expected = fixture.seesPending ? [sighted] : []
      expect(to([payment], await fixture.source.pending())).toEqual(expected)
      await fixture.mine(1)
      expect(to([payment], await fixture.source.pending())).toEqual([])
    })

    test('proves what a mined transaction pays to an address in each asset, and nothing while it waits', async () => {
      // On SOL payments arrive at the account that all orders share.
      const receiverOf = ({ address }: TestPayment) =>
        fixture.source.network === 'SOL' ? SANDBOX_ACCOUNTS.SOL : address
      for (const [index, asset] of fixture.assets.entries()) {
        const payment = await paymentOf('0.35', index)
        const [txId = ''] = await fixture.pay([payment])
        const query = { txId, asset, address: receiverOf(payment) }
        expect(await findPayment(fixture.source, query)).toBeNull()
        await fixture.mine(2)
        const { number } = await fixture.source.head()
        const proof = await findPayment(fixture.source, query)
        expect(proof).toMatchObject({ units: toUnits('0.35', ASSET_DECIMALS[asset]) })
        expect(proof?.confirmations).toBe(number - (proof?.blockNumber ?? 0) + 1)
        expect(proof?.confirmations).toBeGreaterThanOrEqual(2)
        const nobody = await fixture.newAddress()
        expect(await findPayment(fixture.source, { ...query, address: nobody })).toEqual({
          ...proof,
          units: 0n,
        })
        const unknown = txId.slice(0, 2) + Array.from(txId.slice(2)).toReversed().join('')
        expect(await findPayment(fixture.source, { ...query, txId: unknown })).toBeNull()
      }
    })

    test('finds no payment of a transaction that a reorganisation removed', async () => {
      if (fixture.reorganise === null) return
      const payment = await paymentOf('0.45')
      const [txId = ''] = await fixture.pay([payment])
      await fixture.mine(2)
      const query = { txId, asset: payment.asset, address: payment.address }
      expect(await findPayment(fixture.source, query)).not.toBeNull()
      await fixture.reorganise(2, 'dropped')
      expect(await findPayment(fixture.source, query)).toBeNull()
    })

    test.each([1, 2, 4])('takes back what a reorganisation of %s blocks removes', async (depth) => {
      if (fixture.reorganise === null) return
      const reader = await readerFromHere()
      const payment = await paymentOf('0.3')
      await fixture.pay([payment])
      await fixture.mine(depth)
      await reader.catchUp()
      const taken = reader.blocks.map(({ header }) => header.hash)
      expect(reader.blocks.flatMap(({ transfers }) => to([payment], transfers))).toHaveLength(1)
      await fixture.reorganise(depth, 'dropped')
      await reader.catchUp()
      const hashes = reader.blocks.map(({ header }) => header.hash)
      expect(hashes.length).toBeGreaterThanOrEqual(depth)
      expect(hashes.filter((hash) => taken.includes(hash))).toEqual([])
      expect(reader.blocks.flatMap(({ transfers }) => to([payment], transfers))).toEqual([])
    })

    test.each([1, 3])(
      'counts a payment once that is mined again after a reorganisation of %s blocks',
      async (depth) => {
        if (fixture.reorganise === null) return
        const reader = await readerFromHere()
        const payment = await paymentOf('0.4')
        const [txId] = await fixture.pay([payment])
        await fixture.mine(depth)
        await reader.catchUp()
        const before = reader.blocks.flatMap(({ transfers }) => to([payment], transfers))
        await fixture.reorganise(depth, 'mined again')
        await reader.catchUp()
        const told = reader.blocks.flatMap(({ transfers }) => to([payment], transfers))
        expect(told).toEqual(before)
        expect(told.map((transfer) => transfer.txId)).toEqual([txId])
      },
    )

    test('returns the transfers of a block that was replaced, or a retryable failure', async () => {
      if (fixture.reorganise === null) return
      const payment = await paymentOf('0.6')
      await fixture.pay([payment])
      const replaced = await newest()
      const told = await fixture.source.transfers(replaced)
      await fixture.reorganise(1, 'dropped')
      const again = await fixture.source.transfers(replaced).catch(failureAsValue)
      expect([told, { retryable: true }]).toContainEqual(again)
    })

    test.each([
      ['unreachable', 'unreachable', true],
      ['timeout', 'timeout', true],
      ['reset', 'reset', true],
      ['cut', 'reset', true],
      ['error', 'unavailable', true],
      ['page', 'unavailable', true],
      ['refuse', 'refused', false],
      ['throttle', 'throttled', true],
    ] as const)(
      'reports the fault %s of the endpoints as the failure %s, retryable %s',
      async (mode, failure, retryable) => {
        const head = await fixture.source.head()
        await fixture.fault(mode)
        const asked = mode === 'timeout' ? fixture.impatient : fixture.source
        const expected = { failure, retryable }
        expect(await failureOf(asked.head())).toEqual(expected)
        expect(await failureOf(asked.next(head.number - 1))).toEqual(expected)
        expect(await failureOf(asked.transfers(head))).toEqual(expected)
        expect(await failureOf(asked.blockOf('0'.repeat(64)))).toEqual(expected)
        await fixture.fault('ok')
        expect(await fixture.source.head()).toEqual(head)
      },
    )

    test("throws the caller's own reason after an abort", async () => {
      await fixture.fault('timeout')
      const stopping = new AbortController()
      const reason = new Error('stopping')
      const asked = fixture.source.head(stopping.signal)
      stopping.abort(reason)
      await expect(asked).rejects.toBe(reason)
    })
  })
}
