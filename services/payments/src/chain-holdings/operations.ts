import { implement, NotDoneError, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import {
  chainHoldings,
  HOLDINGS_PAGE,
  SHORT_ORDERS_NAMED,
  type Asset,
  type Network,
} from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { Signer } from '../clients/signer.ts'
import { unitsOf, type Expected, type HoldingsReader } from './readers.ts'
import { listHeld } from './store.ts'

type Options = Readonly<{
  db: Db
  /** Null: staff move what addresses hold, and payments does not know what left. */
  signer: Signer | null
  readers: ReadonlyMap<Network, HoldingsReader>
}>
type Unit = Readonly<{ network: Network; asset: Asset }>

/** Sum that the signer has moved from an address. */
type Left = Readonly<{ amount: bigint; isMoving: boolean }>
const NOTHING_LEFT: Left = { amount: 0n, isMoving: false }

/** An address that should hold `amount`. */
type Held = Expected & Readonly<{ orderId: string; keyIndex: number; counted: bigint; left: Left }>

/** @throws NotDoneError when the signer does not answer */
const readLeft = async (
  signer: Signer,
  { network, asset }: Unit,
  keyIndexes: readonly number[],
): Promise<ReadonlyMap<number, Left>> => {
  if (keyIndexes.length === 0) return new Map()
  const answer = await signer.listLeft({ network, asset, key_indexes: [...keyIndexes] })
  if (!answer.ok) throw new NotDoneError(`The signer returned ${answer.code}`)
  return new Map(
    answer.value.addresses.map(({ key_index: index, left, is_moving: isMoving }) => [
      index,
      { amount: toUnits(left, ASSET_DECIMALS[asset]), isMoving },
    ]),
  )
}

/** The part of a page that can be compared: nothing is in flight there, and no person has moved anything. */
const listExpected = async (
  { db }: Options,
  signer: Signer,
  reader: HoldingsReader,
  unit: Unit,
  after: string | null,
) => {
  const rows = await listHeld(db.pooled, { ...unit, afterId: after ?? '', limit: HOLDINGS_PAGE })
  const counted = rows.flatMap(({ id, derivationIndex, address, amount, newestBlock, coins, sentByHand }) =>
    amount === null || newestBlock === null || sentByHand
      ? []
      : [
          {
            ...{ orderId: id, keyIndex: derivationIndex, address, newestBlock, coins: coins ?? [] },
            counted: toUnits(amount, ASSET_DECIMALS[unit.asset]),
          },
        ],
  )
  const left = await readLeft(
    signer,
    unit,
    counted.map(({ keyIndex }) => keyIndex),
  )
  const isComparable = (each: Held) =>
    !each.left.isMoving &&
    each.counted > each.left.amount &&
    (!reader.readsCoins || each.left === NOTHING_LEFT)
  const expected = counted
    .map((each): Held => ({ ...each, left: left.get(each.keyIndex) ?? NOTHING_LEFT }))
    .filter(isComparable)
  return { expected, next: rows.length < HOLDINGS_PAGE ? null : (rows.at(-1)?.id ?? null) }
}

/** The addresses that hold less than they should. A transfer that was signed after the first look explains it. */
const findShort = async (signer: Signer, reader: HoldingsReader, unit: Unit, expected: readonly Held[]) => {
  if (expected.length === 0) return []
  const held = await reader.read(unit.asset, expected)
  const short = expected.flatMap(({ orderId, keyIndex, counted, left }, at) => {
    const missing = counted - left.amount - (held[at] ?? 0n)
    return missing > 0n ? [{ orderId, keyIndex, left, missing }] : []
  })
  const now = await readLeft(
    signer,
    unit,
    short.map(({ keyIndex }) => keyIndex),
  )
  return short.filter(({ keyIndex, left }) => {
    const { amount, isMoving } = now.get(keyIndex) ?? NOTHING_LEFT
    return !isMoving && amount === left.amount
  })
}

/** `payments.chain-holdings` (decisions §51). */
export const chainHoldingOperations = (options: Options): Implementation[] =>
  implement(chainHoldings, {
    list: () => Promise.resolve(reply({ units: options.signer === null ? [] : unitsOf(options.readers) })),

    async compare({ body: { network, asset, after } }) {
      const { signer, readers } = options
      const reader = readers.get(network)
      if (signer === null || reader === undefined) return refuse('resource_not_found')
      const unit = { network, asset }
      try {
        const { expected, next } = await listExpected(options, signer, reader, unit, after)
        const short = await findShort(signer, reader, unit, expected)
        const missing = short.reduce((sum, each) => sum + each.missing, 0n)
        return reply({
          compared: expected.length,
          missing: fromUnits(missing, ASSET_DECIMALS[asset]),
          short_orders: short.slice(0, SHORT_ORDERS_NAMED).map(({ orderId }) => orderId),
          next,
        })
      } catch (error) {
        if (!(error instanceof RailError || error instanceof NotDoneError)) throw error
        return refuse('temporarily_unavailable')
      }
    },
  })
