import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Asset } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '../src/networks.ts'
import type { SignedTransfer, Transfers } from '../src/transfers.ts'
import type { EndpointFault } from './block-source-fixture.ts'

/** A chain that can be told what happens on it, and the transfers under test. */
export type TransfersFixture = Readonly<{
  transfers: Transfers
  /** The same, with calls that time out within a second. */
  impatient: Transfers
  asset: Asset
  /** Pays a deposit address; mined when it returns. */
  pay: (address: string, amount: string) => Promise<void>
  mine: (blocks: number) => Promise<void>
  /** Balance of an address in mined transactions, read from the chain; a decimal in the asset. */
  holdings: (address: string) => Promise<string>
  /** An address that nobody has paid yet and nobody holds the key of. */
  newRecipient: () => Promise<string>
  /** A well-formed address of another chain. */
  foreignAddress: string
  /** Maximum fee of a transfer here, a decimal in the asset of its fee. */
  mostFee: string
  /** An amount whose fee leaves nothing; null where the fee is paid in another asset. */
  dust: string | null
  /** True if two transfers of one address exclude each other although the first was dropped. */
  excludesForgotten: boolean
  /** True if a broadcast transaction waits for a block. */
  waits: boolean
  fault: (mode: EndpointFault) => Promise<void>
  stop: () => Promise<void>
}>

let lastIndex = 0
/** No two tests share an address. */
const newIndex = (): number => (lastIndex += 1)
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Guarantees of every implementation of {@link Transfers}. */
export const describeTransfers = (name: string, start: () => Promise<TransfersFixture>): void => {
  describe(`transfers: ${name}`, () => {
    let fixture: TransfersFixture
    let transfers: Transfers

    beforeAll(async () => {
      fixture = await start()
      transfers = fixture.transfers
    }, 120_000)
    afterAll(async () => {
      await fixture.stop()
    })

    const units = (amount: string) => toUnits(amount, ASSET_DECIMALS[fixture.asset])
    const less = (a: string, ...others: readonly string[]) =>
      fromUnits(
        others.reduce((rest, other) => rest - units(other), units(a)),
        ASSET_DECIMALS[fixture.asset],
      )
    /** An address that has been paid this. */
    const paid = async (amount: string) => {
      const index = newIndex()
      const address = transfers.addressOf(index)
      await fixture.pay(address, amount)
      return { index, address }
    }
    const sign = async (fromIndex: number, amount: string, toAddress?: string) =>
      json(
        await transfers.sign(
          { fromIndex, asset: fixture.asset, toAddress: toAddress ?? (await fixture.newRecipient()), amount },
          [],
        ),
      )
    const settle = async (signed: SignedTransfer) => {
      // A transfer in two transactions sends its second one when the first is mined.
      for (const raw of signed.rawTransactions) {
        expect(raw).not.toBe('')
        await transfers.broadcast(signed)
        if (fixture.waits) await fixture.mine(1)
      }
    }
    const feeInAsset = ({ feeAsset, asset }: SignedTransfer, fee: string) => (feeAsset === asset ? fee : '0')
    const paidFee = async (signed: SignedTransfer): Promise<string> => {
      const progress = await transfers.progressOf(signed)
      expect(progress).toMatchObject({ state: 'mined' })
      return progress.state === 'mined' ? progress.networkFee : ''
    }
    const failureOf = async (asked: Promise<unknown>): Promise<unknown> =>
      asked.then(
        () => 'nothing',
        (error: unknown) =>
          error instanceof Error && 'refusal' in error
            ? error.refusal
            : error instanceof Error && 'retryable' in error
              ? { retryable: error.retryable }
              : error,
      )

    test('takes exactly the amount from an address: what arrives, and a bounded fee', async () => {
      const { index, address } = await paid('0.5')
      const signed = await sign(index, '0.3')
      expect(less('0.3', signed.amount, feeInAsset(signed, signed.networkFee))).toBe('0')
      expect(signed.sources).toEqual([{ index, address, amount: '0.3' }])
      const decimals = ASSET_DECIMALS[signed.feeAsset]
      expect(toUnits(signed.networkFee, decimals)).toBeLessThanOrEqual(toUnits(fixture.mostFee, decimals))
      await settle(signed)
      const fee = await paidFee(signed)
      expect(toUnits(fee, decimals)).toBeLessThanOrEqual(toUnits(signed.networkFee, decimals))
      expect(await fixture.holdings(signed.toAddress)).toBe(signed.amount)
      const rest = less('0.5', signed.amount, feeInAsset(signed, fee))
      expect(await fixture.holdings(address)).toBe(rest)
      expect(await transfers.balanceOf(index, fixture.asset)).toBe(rest)
    })

    test('takes all that an address holds, from several deposits together', async () => {
      const { index, address } = await paid('0.25')
      await fixture.pay(address, '0.125')
      expect(await transfers.balanceOf(index, fixture.asset)).toBe('0.375')
      const signed = await sign(index, '0.375')
      await settle(signed)
      expect(await fixture.holdings(signed.toAddress)).toBe(signed.amount)
      const left = less('0.375', signed.amount, feeInAsset(signed, await paidFee(signed)))
      expect(await fixture.holdings(address)).toBe(left)
    })

    test('sends nothing by signing', async () => {
      const { index } = await paid('0.2')
      const signed = await sign(index, '0.2')
      await fixture.mine(1)
      expect(await transfers.progressOf(signed)).toEqual({ state: 'unknown' })
      expect(await transfers.confirmationsOf(signed)).toBe(null)
      expect(await fixture.holdings(signed.toAddress)).toBe('0')
    })

    test('pays once for a transfer that is broadcast again while it is pending and when it is mined', async () => {
      const { index } = await paid('0.2')
      const signed = await sign(index, '0.15')
      await transfers.broadcast(signed)
      await transfers.broadcast(signed)
      await settle(signed)
      await transfers.broadcast(signed)
      await fixture.mine(1)
      expect(await fixture.holdings(signed.toAddress)).toBe(signed.amount)
    })

    test('reports an answer lost after the broadcast as an outage, and pays once for a repetition', async () => {
      const { index } = await paid('0.2')
      const signed = await sign(index, '0.2')
      await fixture.fault('cut')
      expect(await failureOf(transfers.broadcast(signed))).toEqual({ retryable: true })
      await fixture.fault('ok')
      await settle(signed)
      expect(await fixture.holdings(signed.toAddress)).toBe(signed.amount)
    })

    test('counts confirmations from the block of the transfer', async () => {
      const { index } = await paid('0.2')
      const signed = await sign(index, '0.2')
      await settle(signed)
      if (!fixture.waits) {
        expect(await transfers.confirmationsOf(signed)).toBeGreaterThan(0)
        return
      }
      expect(await transfers.confirmationsOf(signed)).toBe(1)
      await fixture.mine(2)
      expect(await transfers.confirmationsOf(signed)).toBe(3)
      expect(await transfers.progressOf(signed)).toMatchObject({ state: 'mined', confirmations: 3 })
    })

    test.each(['-', 'more'] as const)('refuses to take more than an address holds (%s)', async (held) => {
      const { index } = held === '-' ? { index: newIndex() } : await paid('0.2')
      expect(await failureOf(sign(index, '0.200001'))).toBe('insufficient_funds')
    })

    test("refuses another chain's address and another network's asset", async () => {
      const { index } = await paid('0.2')
      expect(await failureOf(sign(index, '0.1', fixture.foreignAddress))).toBe('wrong_address')
      const other = fixture.asset === 'XRP' ? 'SOL' : 'XRP'
      const toAddress = await fixture.newRecipient()
      const request = { fromIndex: index, asset: other, toAddress, amount: '0.1' } as const
      expect(await failureOf(transfers.sign(request, []))).toBe('unsupported')
      expect(await failureOf(transfers.balanceOf(index, other))).toBe('unsupported')
    })

    test('refuses an amount of which the fee leaves nothing', async () => {
      const { index } = await paid('0.2')
      if (fixture.dust !== null) expect(await failureOf(sign(index, fixture.dust))).toBe('below_dust')
      expect(await failureOf(sign(index, '0'))).toBe('below_dust')
    })

    test('signs no other transfer for an address whose transfer is not confirmed yet', async () => {
      const { index } = await paid('0.2')
      const signed = await sign(index, '0.1')
      const request = { fromIndex: index, asset: fixture.asset, toAddress: signed.toAddress, amount: '0.1' }
      expect(await failureOf(transfers.sign(request, [signed]))).toBe('address_busy')
    })

    test('lets only one of two transfers be mined that were signed for one address', async () => {
      if (!fixture.excludesForgotten) return
      const { index } = await paid('0.5')
      const [first, second] = [await sign(index, '0.1'), await sign(index, '0.12')]
      expect(second.spends.filter((spent) => first.spends.includes(spent))).not.toEqual([])
      await settle(first)
      expect(await failureOf(transfers.broadcast(second))).not.toBe('nothing')
      await fixture.mine(1)
      expect(await transfers.progressOf(second)).toMatchObject({
        ...{ state: 'failed', reason: 'replaced' },
        networkFee: expect.any(String),
      })
      expect(await transfers.confirmationsOf(second)).toBe(null)
      expect(await fixture.holdings(second.toAddress)).toBe('0')
    })

    test.each(['unreachable', 'timeout', 'error'] as const)(
      'reports the fault %s of the endpoints as an outage',
      async (mode) => {
        const { index } = await paid('0.2')
        const signed = await sign(index, '0.1')
        await fixture.fault(mode)
        const asked = mode === 'timeout' ? fixture.impatient : transfers
        const request = { fromIndex: index, asset: fixture.asset, toAddress: signed.toAddress, amount: '0.1' }
        const failures = [
          await failureOf(asked.sign(request, [])),
          await failureOf(asked.broadcast(signed)),
          await failureOf(asked.progressOf(signed)),
        ]
        await fixture.fault('ok')
        expect(failures).toEqual(Array.from({ length: 3 }, () => ({ retryable: true })))
        expect(await transfers.progressOf(signed)).toEqual({ state: 'unknown' })
      },
    )

    test('empties the addresses of a sweep, and no other', async () => {
      const addresses = [await paid('0.2'), await paid('0.3'), await paid('0.1')]
      const busy = await paid('0.15')
      const [left, ...swept] = addresses
      const waiting = await sign(busy.index, '0.1')
      const toAddress = await fixture.newRecipient()
      const fromIndices = [...swept.map(({ index }) => index), newIndex(), busy.index]
      const done: SignedTransfer[] = []
      for (;;) {
        const signed = await transfers.signSweep({ fromIndices, asset: fixture.asset, toAddress }, [
          waiting,
          ...done,
        ])
        if (signed === null) break
        done.push(json(signed))
      }
      for (const signed of [waiting, ...done]) await settle(signed)
      const arrived = done.reduce((sum, { amount }) => sum + units(amount), 0n)
      expect(units(await fixture.holdings(toAddress))).toBe(arrived)
      let rest = units('0.4') - arrived
      for (const signed of done) rest -= units(feeInAsset(signed, await paidFee(signed)))
      for (const { address } of swept) rest -= units(await fixture.holdings(address))
      expect(rest).toBe(0n)
      expect(await fixture.holdings(left?.address ?? '')).toBe('0.2')
      const fee = feeInAsset(waiting, await paidFee(waiting))
      expect(await fixture.holdings(busy.address)).toBe(less('0.15', waiting.amount, fee))
    })

    test('signs no sweep of addresses that hold nothing', async () => {
      const toAddress = await fixture.newRecipient()
      const request = { fromIndices: [newIndex(), newIndex()], asset: fixture.asset, toAddress }
      expect(await transfers.signSweep(request, [])).toBe(null)
    })
  })
}
