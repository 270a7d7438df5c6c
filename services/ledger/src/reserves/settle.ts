import type { Queryable } from '@causeway/chassis'
import { postBatch } from '../posting/post-facts.ts'
import { reservePosting, reserveSource, type ReserveMovement } from './posting.ts'
import { fixedReserve, orderReserve, type OrderEntry, type ReservePlan, type ReserveTerms } from './rules.ts'
import * as store from './store.ts'

/** Entries that are considered together, and reserves whose time has come. */
const PAGE = 1_000n

/** Reads the terms of a version of a plan. */
export const termsOf = ({
  shareBps,
  days,
  fixedCents,
  currency,
}: Omit<store.PlanRow, 'version' | 'setAt'>): ReserveTerms => {
  if (shareBps !== null && days !== null) return { kind: 'share', shareBps, days }
  if (fixedCents === null || currency === null) return null
  return { kind: 'fixed', amount: BigInt(fixedCents), unit: currency }
}

/** Reads every version of a merchant's plan, in order. */
const readPlans = async (db: Queryable, merchantId: string): Promise<ReservePlan[]> =>
  (await store.listPlans(db, { merchantId })).map((row) => ({
    version: row.version,
    terms: termsOf(row),
    setAt: row.setAt,
  }))

const toOrderEntry = (row: store.OrderEntryRow): OrderEntry => ({ ...row, amount: BigInt(row.amount) })

/** A reserve as it is and as it should be. `orderRef` empty: the fixed amount of a plan. */
type Reserve = Readonly<{
  orderRef: string
  orderKey: string | null
  orderId: string | null
  held: bigint
  movements: number
  target: bigint
  until: Date | null
}>

type Changed = Readonly<{ held: store.HeldChange; movement: ReserveMovement | null }>

/** Changes what a reserve holds, by what is available at most. */
const changeOf = (
  { ownerId, unit }: store.AccountKey,
  { orderRef, orderKey, orderId, held, movements, target, until }: Reserve,
  available: bigint,
  now: Date,
): Changed => {
  const wanted = target - held
  const possible = available > 0n ? available : 0n
  const amount = wanted > possible ? possible : wanted
  const after = { ownerId, unit, orderRef, held: held + amount }
  const dueAt = after.held > 0n ? until : null
  if (amount === 0n) return { held: { ...after, movements, dueAt }, movement: null }
  const source = reserveSource(ownerId, unit, orderRef, movements)
  return {
    held: { ...after, movements: movements + 1, dueAt },
    movement: { source, ownerId, unit, orderKey, orderId, amount, effectiveAt: now },
  }
}

/** Changes reserves one after another, those that are released first. */
const changesOf = (
  account: store.AccountKey,
  reserves: readonly Reserve[],
  before: bigint,
  now: Date,
): Readonly<{ changes: Changed[]; available: bigint }> => {
  let available = before
  const releasedFirst = [...reserves].sort(
    (one, other) => Number(one.target > one.held) - Number(other.target > other.held),
  )
  const changes = releasedFirst.map((reserve) => {
    const change = changeOf(account, reserve, available, now)
    available -= change.movement?.amount ?? 0n
    return change
  })
  return { changes, available }
}

/** Reads what orders have in reserve and should have. */
const readOrderReserves = async (
  db: Queryable,
  { ownerId, unit, accountId }: store.AccountKey & Readonly<{ accountId: string }>,
  { orderRefs, plans, now }: Readonly<{ orderRefs: readonly string[]; plans: ReservePlan[]; now: Date }>,
): Promise<Reserve[]> => {
  if (orderRefs.length === 0) return []
  const held = new Map(
    (await store.listHeld(db, { ownerId, unit, orderRefs })).map((row) => [row.orderRef, row]),
  )
  const rows = await store.listOrderEntries(db, { accountId, orderRefs })
  return [...Map.groupBy(rows, ({ orderRef }) => orderRef)].flatMap(([orderRef, entries]) => {
    const known = held.get(orderRef)
    const { target, until } = orderReserve(entries.map(toOrderEntry), plans, now)
    if (known === undefined && target === 0n) return []
    return {
      ...{ orderRef, target, until },
      orderKey: entries[0]?.orderKey ?? null,
      orderId: entries.find(({ orderId }) => orderId !== null)?.orderId ?? null,
      held: BigInt(known?.held ?? 0),
      movements: known?.movements ?? 0,
    }
  })
}

/** Reads what a fixed plan holds of an owner's money and should hold. */
const readFixedReserve = async (
  db: Queryable,
  { ownerId, unit, merchantId }: store.AccountKey & Readonly<{ merchantId: string }>,
  terms: ReserveTerms,
  available: bigint,
): Promise<Reserve[]> => {
  const [known] = await store.listHeld(db, { ownerId, unit, orderRefs: [''] })
  const amount = terms?.kind === 'fixed' && terms.unit === unit ? terms.amount : 0n
  if (known === undefined && amount === 0n) return []
  const elsewhere = BigInt((await store.getHeldElsewhere(db, { merchantId, ownerId, unit }))?.held ?? 0)
  const held = BigInt(known?.held ?? 0)
  return [
    {
      ...{ orderRef: '', orderKey: null, orderId: null, until: null, held },
      target: fixedReserve(amount, { held, available, elsewhere }),
      movements: known?.movements ?? 0,
    },
  ]
}

/**
 * Holds and releases what plans ask for of one available balance, in the transaction of its caller: the differences between
 * what is held and what should be (decisions §52). Locks the end of the journal: the balance stays as it is until the
 * transaction ends.
 * @returns whether there is more to consider
 */
export const settlePage = async (
  tx: Queryable,
  { ownerId, unit }: store.AccountKey,
  now: Date,
): Promise<boolean> => {
  await postBatch(tx, { postings: [] }, now)
  const account = await store.getAccount(tx, { ownerId, unit })
  if (account === null) return false
  const { accountId, merchantId } = account
  const plans = await readPlans(tx, merchantId)
  const [after, end] = [BigInt(account.through), BigInt(account.entries)]
  const through = after + PAGE < end ? after + PAGE : end
  const considered = { accountId, after, through, ownerId, unit, now, limit: PAGE }
  const touched = await store.listOrdersToConsider(tx, considered)
  const orderRefs = touched.map(({ orderRef }) => orderRef)
  const ofOrders = await readOrderReserves(tx, { ownerId, unit, accountId }, { orderRefs, plans, now })
  const orders = changesOf({ ownerId, unit }, ofOrders, BigInt(account.available), now)
  const latest = plans.at(-1)
  const ofPlan = await readFixedReserve(
    tx,
    { ownerId, unit, merchantId },
    latest?.terms ?? null,
    orders.available,
  )
  const changes = [...orders.changes, ...changesOf({ ownerId, unit }, ofPlan, orders.available, now).changes]
  const movements = changes.flatMap(({ movement }) => movement ?? [])
  if (changes.length > 0) await store.upsertHeld(tx, store.heldValues(changes.map(({ held }) => held)))
  if (movements.length > 0) {
    await store.insertMovements(tx, store.movementValues(movements))
    await postBatch(tx, { postings: movements.map(reservePosting) }, now)
  }
  // Entries of these postings follow the ones that were there: at the end they are considered too.
  const isEnd = through === end
  await store.setConsidered(tx, {
    ...{ ownerId, unit, version: latest?.version ?? 0 },
    through: isEnd ? end + BigInt(movements.length) : through,
  })
  return !isEnd || touched.filter(({ isDue }) => isDue).length >= PAGE
}

/** Settles the whole of an available balance, before it is paid out. Owners without a plan cost one read. */
export const settleReserves = async (tx: Queryable, account: store.AccountKey, now: Date): Promise<void> => {
  if ((await store.hasPlan(tx, { ownerId: account.ownerId }))?.found !== true) return
  while (await settlePage(tx, account, now)) continue
}
