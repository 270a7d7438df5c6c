import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { ChainAdapter, Deposit, WatchEntry } from '../src/chains.ts'

/** A chain that can be told what happens on it, and the adapter under test. */
export type ChainFixture = Readonly<{
  adapter: ChainAdapter
  /** The same, with calls that time out within a second. */
  impatient: ChainAdapter
  /** Sends this amount to the watched order; the transaction immediately has this many confirmations. */
  deposit: (entry: WatchEntry, amount: string, confirmations: number) => Promise<void>
  /** Gives all deposits of the order this many confirmations. */
  confirm: (entry: WatchEntry, confirmations: number) => Promise<void>
  /** Makes the chain unreachable, silent, failing or refusing until the mode is `ok`. */
  fault: (mode: 'ok' | 'unreachable' | 'timeout' | 'error' | 'refuse' | 'reset') => Promise<void>
  stop: () => Promise<void>
}>

const bitcoin: WatchEntry = {
  orderId: 'ord_bitcoin',
  network: 'BTC',
  asset: 'BTC',
  address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
  due: '0.015',
}
const tether: WatchEntry = {
  orderId: 'ord_tether',
  network: 'ETH',
  asset: 'USDT',
  address: '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
  due: '27.173914',
}

/**
 * Guarantees of every chain adapter.
 * @param start starts a new chain, and adapters with no timeout and with one of a second
 */
export const describeChainAdapter = (name: string, start: () => Promise<ChainFixture>): void => {
  describe(`chain adapter: ${name}`, () => {
    let fixture: ChainFixture

    beforeEach(async () => {
      fixture = await start()
    })
    afterEach(async () => {
      await fixture.stop()
    })

    const deposits = async (after = 0): Promise<readonly Deposit[]> =>
      (await fixture.adapter.deposits({ after, waitMs: 0 })).deposits

    const failureOf = async (asked: Promise<unknown>): Promise<unknown> => {
      const error = await asked.then(
        () => null,
        (reason: unknown) => reason,
      )
      return error !== null && typeof error === 'object' && 'failure' in error && 'retryable' in error
        ? { failure: error.failure, retryable: error.retryable }
        : error
    }

    test('reports a deposit to a watched address with all that identifies it', async () => {
      await fixture.adapter.watch([bitcoin])
      await fixture.deposit(bitcoin, '0.005', 3)
      expect(await deposits()).toEqual([
        {
          seq: expect.any(Number),
          network: 'BTC',
          asset: 'BTC',
          address: bitcoin.address,
          txId: expect.stringMatching(/^[0-9a-f]{64}$/),
          outputIndex: expect.any(Number),
          amount: '0.005',
          confirmations: 3,
          blockNumber: expect.any(Number),
          blockHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ])
    })

    test('shows a deposit that leaves its block and is mined again in another block', async () => {
      await fixture.adapter.watch([bitcoin])
      await fixture.deposit(bitcoin, '0.015', 2)
      await fixture.confirm(bitcoin, 3)
      await fixture.confirm(bitcoin, 0)
      await fixture.confirm(bitcoin, 1)
      const [first, second, outside, again] = (await deposits()).map(({ blockHash }) => blockHash)
      expect(second).toBe(first)
      expect(outside).toBe(null)
      expect(again).toEqual(expect.any(String))
      expect(again).not.toBe(first)
    })

    test('lists every change of confirmations as a new entry of the same deposit with a higher seq', async () => {
      await fixture.adapter.watch([bitcoin])
      await fixture.deposit(bitcoin, '0.015', 0)
      await fixture.confirm(bitcoin, 1)
      await fixture.confirm(bitcoin, 2)
      const seen = await deposits()
      expect(seen.map(({ confirmations }) => confirmations)).toEqual([0, 1, 2])
      expect(seen.map(({ seq }) => seq)).toEqual(seen.map(({ seq }) => seq).toSorted((a, b) => a - b))
      expect(new Set(seen.map(({ seq }) => seq)).size).toBe(3)
      expect(new Set(seen.map(({ txId }) => txId)).size).toBe(1)
      expect(seen.map(({ blockNumber }) => blockNumber === null)).toEqual([true, false, false])
    })

    test('returns each entry once when a reader continues from next', async () => {
      await fixture.adapter.watch([bitcoin, tether])
      await fixture.deposit(bitcoin, '0.015', 6)
      const first = await fixture.adapter.deposits({ after: 0, waitMs: 0 })
      await fixture.deposit(tether, '27.173914', 12)
      const second = await fixture.adapter.deposits({ after: first.next, waitMs: 0 })
      expect(first.deposits.map(({ asset }) => asset)).toEqual(['BTC'])
      expect(second.deposits.map(({ asset }) => asset)).toEqual(['USDT'])
      expect(await fixture.adapter.deposits({ after: second.next, waitMs: 0 })).toEqual({
        deposits: [],
        next: second.next,
      })
    })

    test('lists two deposits to one address as two, however equal they are', async () => {
      await fixture.adapter.watch([bitcoin])
      await fixture.deposit(bitcoin, '0.005', 6)
      await fixture.deposit(bitcoin, '0.005', 6)
      expect(new Set((await deposits()).map(({ txId, outputIndex }) => `${txId}:${outputIndex}`)).size).toBe(
        2,
      )
    })

    test('reads one network alone', async () => {
      await fixture.adapter.watch([bitcoin, tether])
      await fixture.deposit(bitcoin, '0.015', 6)
      await fixture.deposit(tether, '1', 12)
      const page = await fixture.adapter.deposits({ network: 'ETH', after: 0, waitMs: 0 })
      expect(page.deposits.map(({ network }) => network)).toEqual(['ETH'])
    })

    test('changes nothing when an order is watched again', async () => {
      await fixture.adapter.watch([bitcoin])
      await fixture.deposit(bitcoin, '0.015', 6)
      await fixture.adapter.watch([bitcoin, tether])
      expect(await deposits()).toHaveLength(1)
    })

    test('notifies a waiting reader immediately, well before its timeout', async () => {
      await fixture.adapter.watch([bitcoin])
      const startedAt = performance.now()
      const waiting = fixture.adapter.deposits({ after: 0, waitMs: 60_000 })
      await fixture.deposit(bitcoin, '0.015', 6)
      expect((await waiting).deposits).toHaveLength(1)
      expect(performance.now() - startedAt).toBeLessThan(30_000)
    })

    test('returns an empty page to a reader that waits in vain', async () => {
      expect(await fixture.adapter.deposits({ after: 0, waitMs: 50 })).toEqual({ deposits: [], next: 0 })
    })

    test("ends the wait after an abort with the caller's own reason", async () => {
      const stopping = new AbortController()
      const waiting = fixture.adapter.deposits({ after: 0, waitMs: 20_000, signal: stopping.signal })
      const reason = new Error('stopping')
      stopping.abort(reason)
      await expect(waiting).rejects.toBe(reason)
    })

    test.each([
      ['unreachable', 'unreachable', true],
      ['timeout', 'timeout', true],
      ['reset', 'reset', true],
      ['error', 'unavailable', true],
      ['refuse', 'refused', false],
    ] as const)('reports the fault %s as the failure %s, retryable %s', async (mode, failure, retryable) => {
      await fixture.fault(mode)
      const asked = mode === 'timeout' ? fixture.impatient : fixture.adapter
      expect(await failureOf(asked.watch([bitcoin]))).toEqual({ failure, retryable })
      expect(await failureOf(asked.deposits({ after: 0, waitMs: 0 }))).toEqual({ failure, retryable })
      await fixture.fault('ok')
      await fixture.adapter.watch([bitcoin])
      expect(await deposits()).toEqual([])
    })
  })
}
