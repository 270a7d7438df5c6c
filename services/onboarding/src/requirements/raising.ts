import { createBatcher, newId, refuse, reply, type Db, type Transaction } from '@causeway/chassis'
import type { PartnerEventType, RaiseRequirement } from '@causeway/contracts'
import type { Relationship } from '../relationship-state/relationship.ts'
import { judgeRaise, requirementNotices, seenBy, type Party } from './domain.ts'
import * as merchantStore from '../merchants/store.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import * as store from './store.ts'
import { emit } from '../relationship-state/emit.ts'
import { holdOwnRelationship } from '../relationship-state/lock.ts'
import { heldRequirement } from './presentation.ts'

/** Most calls that one transaction carries out: each tells every partner of the merchant. */
const MAX_BATCH = 25

/** Who raises: a partner on its customer, or the platform (null) on a merchant. */
type Raiser =
  Readonly<{ party: string; partnerCustomerId: string }> | Readonly<{ party: null; merchantId: string }>

type Call = Readonly<{ asked: RaiseRequirement; now: Date }>
type Raised = Awaited<ReturnType<typeof raiseBatch>>[number]

/** Tells a requirement to those that it concerns, each from its own side. */
export const tellOf = (
  tx: Transaction,
  type: Extract<PartnerEventType, `requirement.${string}`>,
  row: store.RequirementRow,
  relationships: readonly Relationship[],
  now: Date,
): void => {
  for (const draft of requirementNotices(type, heldRequirement(row), relationships)) emit(tx, draft, now)
}

/** Holds the merchant on which a party may raise requirements; null where it may not, or sees none. */
const holdMerchant = async (tx: Transaction, raiser: Raiser): Promise<string | null> => {
  if (raiser.party === null) {
    const [merchant] = await tx.query(merchantStore.hold, [raiser.merchantId])
    const [begun] = merchant ? await tx.query(store.readBegun, [merchant.id]) : []
    return begun ? raiser.merchantId : null
  }
  const key = [raiser.party, raiser.partnerCustomerId]
  const relationship = await holdOwnRelationship(tx, raiser.party, raiser.partnerCustomerId)
  const [visible] = relationship ? await tx.query(store.readVisibleMerchant, key) : []
  return visible?.customer_id ?? null
}

const insert = async (tx: Transaction, merchantId: string, party: Party, { asked, now }: Call) => {
  const [row] = await tx.query(store.insert, [
    newId('requirement'),
    merchantId,
    party,
    asked.kind,
    asked.target ?? null,
    asked.document_type ?? null,
    asked.message,
    asked.due_at == null ? null : new Date(asked.due_at),
    now,
  ])
  if (!row) throw new Error('A requirement was not stored')
  return row
}

/** Raises requirements of one party on one merchant, and tells each of its partners. */
const raiseBatch = (db: Db, raiser: Raiser, calls: readonly Call[]) =>
  db.transaction(async (tx) => {
    const merchantId = await holdMerchant(tx, raiser)
    if (merchantId === null) return calls.map(() => refuse('resource_not_found'))
    const { party } = raiser
    const [raised] = await tx.query(store.countRaised, [merchantId, party])
    if (!raised) throw new Error('A count has no row')
    const relationships = await tx.query(relationshipStore.readOfMerchant, [merchantId])
    const answers = []
    for (const call of calls) {
      const refusal = judgeRaise(party, raised)
      if (refusal) {
        answers.push(refusal)
        continue
      }
      const row = await insert(tx, merchantId, party, call)
      tellOf(tx, 'requirement.created', row, relationships, call.now)
      raised.open += 1
      raised.total += 1
      answers.push(reply({ requirement: seenBy(party, heldRequirement(row)) }))
    }
    return answers
  })

/**
 * Raises requirements. Calls of one party on one merchant follow one another, for each holds the merchant's row: what
 * arrives while one transaction runs goes together in the next. So a burst takes one connection of the pool instead of
 * all of them, and no call waits for a connection until it is told 503.
 */
export const createRaising = (db: Db): ((raiser: Raiser, call: Call) => Promise<Raised>) => {
  const queues = new Map<string, { load: (call: Call) => Promise<Raised>; calls: number }>()

  return async (raiser, call) => {
    const key = raiser.party === null ? raiser.merchantId : `${raiser.party}/${raiser.partnerCustomerId}`
    const queue = queues.get(key) ?? {
      ...createBatcher<Call, Raised>({
        maxBatch: MAX_BATCH,
        maxRunning: 1,
        run: (calls) => raiseBatch(db, raiser, calls),
      }),
      calls: 0,
    }
    queues.set(key, queue)
    queue.calls += 1
    try {
      return await queue.load(call)
    } finally {
      queue.calls -= 1
      if (queue.calls === 0) queues.delete(key)
    }
  }
}
