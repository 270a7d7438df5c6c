import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ASSET_DECIMALS, fromUnits, toUnits } from '../src/networks.ts'
import type { SignedTransfer, Transfers } from '../src/transfers.ts'
import type { TransfersFixture } from './transfers-suite.ts'

export type ReplacementFixture = TransfersFixture &
  Readonly<{
    /** Takes the newest block back, with what it has, and mines these transactions instead. */
    mineInstead: (rawTransactions: readonly string[]) => Promise<void>
    /** The same transfer with another signature of its last transaction, and its id by that. */
    alterSignature: (signed: SignedTransfer) => SignedTransfer
    /** The same wallet with these bounds of its settings' fee, so low that nothing can be raised. */
    openThrifty: () => Transfers
    /** The wallet of other words. */
    openForeign: () => Transfers
  }>

let lastIndex = 5_000
const newIndex = (): number => (lastIndex += 1)
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Guarantees of a transfer that is signed again with a higher fee, on every network that has one. */
export const describeReplacements = (name: string, start: () => Promise<ReplacementFixture>): void => {
  describe(`replacements: ${name}`, () => {
    let fixture: ReplacementFixture
    let transfers: Transfers
    beforeAll(async () => {
      fixture = await start()
      transfers = fixture.transfers
    }, 120_000)
    afterAll(() => fixture.stop())

    const unitsOf = (amount: string, of = fixture.asset) => toUnits(amount, ASSET_DECIMALS[of])
    const feeOf = ({ networkFee, feeAsset }: SignedTransfer) => unitsOf(networkFee, feeAsset)
    const isBorneByAmount = ({ asset, feeAsset }: SignedTransfer) => asset === feeAsset
    /** A transfer of 0.3 from an address that has 0.5, broadcast. */
    const send = async (amount = '0.3') => {
      const index = newIndex()
      await fixture.pay(transfers.addressOf(index), '0.5')
      const toAddress = await fixture.newRecipient()
      const request = { fromIndex: index, asset: fixture.asset, toAddress, amount }
      const signed = json(await transfers.sign(request, []))
      await transfers.broadcast(signed)
      return { index, address: transfers.addressOf(index), signed }
    }
    const replace = async (previous: SignedTransfer, feeMax: string | null = null) => {
      const replaced = await transfers.signReplacement(previous, feeMax)
      if (replaced === null) throw new Error('not replaced')
      return json(replaced)
    }
    const mineAll = async (signed: SignedTransfer) => {
      for (const _ of signed.rawTransactions) {
        await transfers.broadcast(signed)
        await fixture.mine(1)
      }
    }

    test('raises the fee by at least an eighth and changes neither recipient, source nor what leaves', async () => {
      const { signed } = await send()
      const replaced = await replace(signed)
      expect(feeOf(replaced) * 8n).toBeGreaterThanOrEqual(feeOf(signed) * 9n)
      for (const field of ['sources', 'spends', 'toAddress', 'asset', 'network', 'signedAt'] as const)
        expect(replaced[field]).toEqual(signed[field])
      const leaves = (each: SignedTransfer) =>
        unitsOf(each.amount) + (isBorneByAmount(each) ? feeOf(each) : 0n)
      expect(leaves(replaced)).toBe(leaves(signed))
      expect(replaced.txId).not.toBe(signed.txId)
      expect(replaced.replacedAt).toBe(await transfers.height())
      await mineAll(signed)
    })

    test('is accepted by the nodes instead of the previous version, and pays once', async () => {
      const { signed, address } = await send()
      const second = await replace(signed)
      await transfers.broadcast(second)
      const third = await replace(second)
      await mineAll(third)
      expect(await transfers.progressOf(third)).toMatchObject({ state: 'mined' })
      expect(await fixture.holdings(third.toAddress)).toBe(third.amount)
      for (const earlier of [signed, second]) {
        expect(await transfers.progressOf(earlier)).toMatchObject({ state: 'failed', reason: 'replaced' })
        await transfers.broadcast(earlier).catch(() => null)
      }
      await fixture.mine(1)
      expect(await fixture.holdings(third.toAddress)).toBe(third.amount)
      const left = unitsOf(await fixture.holdings(address))
      expect(left).toBeGreaterThanOrEqual(unitsOf('0.2'))
      const unusedGas = isBorneByAmount(third) ? feeOf(third) : 0n
      expect(left).toBeLessThanOrEqual(unitsOf('0.2') + unusedGas)
    })

    test('fails as replaced when a reorganisation confirms the version before it, which is mined then', async () => {
      const { signed } = await send()
      const replaced = await replace(signed)
      if (replaced.rawTransactions.length > 1) return mineAll(replaced)
      await mineAll(replaced)
      await fixture.mineInstead(signed.rawTransactions)
      expect(await transfers.progressOf(signed)).toMatchObject({ state: 'mined', confirmations: 1 })
      expect(await transfers.progressOf(replaced)).toMatchObject({ state: 'failed', reason: 'replaced' })
      expect(await fixture.holdings(signed.toAddress)).toBe(signed.amount)
    })

    test('is not signed for a transfer that is mined', async () => {
      const { signed } = await send()
      await mineAll(signed)
      expect(await transfers.signReplacement(signed, null)).toBe(null)
    })

    test('is refused above the limit of the settings and above the bound of the caller', async () => {
      const { signed } = await send()
      const thrifty = fixture.openThrifty()
      await expect(thrifty.signReplacement(signed, null)).rejects.toMatchObject({
        refusal: 'fee_above_limit',
      })
      await thrifty.close()
      if (isBorneByAmount(signed))
        await expect(transfers.signReplacement(signed, signed.networkFee)).rejects.toMatchObject({
          refusal: 'fee_above_limit',
        })
      await mineAll(signed)
    })

    test.each([
      ['another recipient', async () => ({ toAddress: await fixture.newRecipient() })],
      [
        'a smaller amount',
        (signed: SignedTransfer) => ({
          amount: fromUnits(unitsOf(signed.amount) - 1n, ASSET_DECIMALS[signed.asset]),
        }),
      ],
      [
        'another source',
        (signed: SignedTransfer) => {
          const index = newIndex()
          return {
            sources: signed.sources.map((each) => ({ ...each, index, address: transfers.addressOf(index) })),
          }
        },
      ],
      [
        'a larger amount from its source',
        (signed: SignedTransfer) => ({
          sources: signed.sources.map((each) => ({ ...each, amount: '0.4' })),
        }),
      ],
      [
        'another coin or nonce',
        (signed: SignedTransfer) => ({
          spends: signed.spends.map((use) => `${use}1`),
        }),
      ],
    ] as const)('is not signed for a stored transfer that was changed to %s', async (_, change) => {
      const { signed } = await send()
      await expect(transfers.signReplacement({ ...signed, ...(await change(signed)) }, null)).rejects.toThrow(
        signed.txId,
      )
      await mineAll(signed)
    })

    test('is not signed for a transaction whose signature was changed', async () => {
      const { signed } = await send()
      await expect(transfers.signReplacement(fixture.alterSignature(signed), null)).rejects.toThrow(
        /this wallet has not signed/i,
      )
      await mineAll(signed)
    })

    test('is not signed for a transaction that another wallet has signed', async () => {
      const { signed, index, address } = await send()
      const foreign = fixture.openForeign()
      const theirs = foreign.addressOf(index)
      await fixture.pay(theirs, '0.5')
      await mineAll(signed)
      const { toAddress } = signed
      const forged = await foreign
        .sign({ fromIndex: index, asset: fixture.asset, toAddress, amount: '0.3' }, [])
        .catch(() => null)
      await foreign.close()
      // The other wallet has no gas for a token: there is nothing to forge.
      if (forged === null) return
      const sources = forged.sources.map((each) => ({ ...each, address }))
      await expect(transfers.signReplacement(forged, null)).rejects.toThrow(/this wallet/i)
      await expect(transfers.signReplacement({ ...forged, sources }, null)).rejects.toThrow(Error)
    })

    test('empties the same addresses with a higher fee', async () => {
      const fromIndices = [newIndex(), newIndex()]
      for (const index of fromIndices) await fixture.pay(transfers.addressOf(index), '0.25')
      const toAddress = await fixture.newRecipient()
      const signed = await transfers.signSweep({ fromIndices, asset: fixture.asset, toAddress }, [])
      if (signed === null) throw new Error('nothing to sweep')
      await transfers.broadcast(signed)
      const replaced = await replace(json(signed))
      expect(replaced.sources).toEqual(signed.sources)
      await mineAll(replaced)
      expect(await fixture.holdings(toAddress)).toBe(replaced.amount)
      expect(await transfers.progressOf(signed)).toMatchObject({ state: 'failed', reason: 'replaced' })
    })
  })
}
