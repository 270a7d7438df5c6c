import { createBatcher, newId, refuse, reply, type Db, type Transaction } from '@causeway/chassis'
import type { RaiseRequirement } from '@causeway/contracts'
import * as merchantStore from '../merchants/store.ts'
import { lockOwnRelationship } from '../relationship-state/access.ts'
import { emit } from '../relationship-state/changes.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { incrementVersion } from '../relationship-state/case-version-store.ts'
import { checkRaise, type Party } from './domain.ts'
import { requirementEvents, type RequirementEventType } from './events.ts'
import { presentRequirement } from './presentation.ts'
import * as store from './store.ts'

/** Most calls in one transaction: each emits events to every partner of the merchant. */
const MAX_BATCH = 25

/** Who raises: a partner on its customer, or the platform (null) on a merchant. */
type Raiser =
  Readonly<{ party: string; partnerCustomerId: string }> | Readonly<{ party: null; merchantId: string }>

type Call = Readonly<{ body: RaiseRequirement; now: Date }>
type Raised = Awaited<ReturnType<typeof raiseBatch>>[number]

/** Locks the merchant on which a party may raise requirements; null where it may not. */
const lockMerchant = async (tx: Transaction, raiser: Raiser): Promise<string | null> => {
  if (raiser.party === null) {
    const merchant = await merchantStore.lockMerchant(tx, raiser)
    const found = merchant && (await store.findCase(tx, raiser))
    return found ? raiser.merchantId : null
  }
  const relationship = await lockOwnRelationship(tx, raiser.party, raiser.partnerCustomerId)
  const visible = relationship && (await store.getVisibleMerchant(tx, relationship))
  return visible?.merchantId ?? null
}

const insert = async (tx: Transaction, merchantId: string, raisedBy: Party, { body, now }: Call) => {
  const row = await store.insert(tx, {
    requirementId: newId('requirement'),
    merchantId,
    raisedBy,
    kind: body.kind,
    target: body.target ?? null,
    documentType: body.document_type ?? null,
    message: body.message,
    dueAt: body.due_at == null ? null : new Date(body.due_at),
    now,
  })
  if (!row) throw new Error('A requirement was not stored')
  return row
}

/** Emits the change of a requirement to the partners of its merchant. */
export const emitRequirement = (
  tx: Transaction,
  type: RequirementEventType,
  row: store.RequirementRow,
  relationships: readonly Relationship[],
  now: Date,
): void => {
  for (const draft of requirementEvents(type, row, relationships)) emit(tx, draft, now)
}

/** Raises requirements of one party on one merchant, and emits each to the merchant's partners. */
const raiseBatch = (db: Db, raiser: Raiser, calls: readonly Call[]) =>
  db.transaction(async (tx) => {
    const merchantId = await lockMerchant(tx, raiser)
    if (merchantId === null) return calls.map(() => refuse('resource_not_found'))
    const { party } = raiser
    const raised = await store.countOfRaiser(tx, { merchantId, raisedBy: party })
    if (!raised) throw new Error('A count returned no row')
    const relationships = await relationshipStore.listOfMerchant(tx, { merchantId })
    await incrementVersion(tx, { merchantId, editedAt: null })
    const answers = []
    for (const call of calls) {
      const refusal = checkRaise(party, raised)
      if (refusal) {
        answers.push(refusal)
        continue
      }
      const row = await insert(tx, merchantId, party, call)
      emitRequirement(tx, 'requirement.created', row, relationships, call.now)
      raised.open += 1
      raised.total += 1
      answers.push(reply({ requirement: presentRequirement(row, party) }))
    }
    return answers
  })

/**
 * Raises requirements. Each call locks the merchant's row, so calls of one party on one merchant run one after the
 * other: what arrives while one transaction runs goes into the next. A burst takes one connection of the pool instead
 * of all of them, and no call waits for a connection until it is answered 503.
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
