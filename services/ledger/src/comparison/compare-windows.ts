import { factRecordsOf, WINDOW_FACTS, type ServiceName } from '@causeway/contracts'
import { settleFacts, valueOf, type ComparisonContext } from './settle-facts.ts'
import { listHeld, readDigest, readSweepStart, type Position } from './store.ts'

/** Windows that one run compares again: 20,000 facts, of which source and ledger read each in about 10 µs. */
const SWEPT_WINDOWS = 20

type Window = Readonly<{ service: ServiceName; after: number; through: number }>

/** Settles each fact of a window that only one side has, or that both have with different digests. */
const settleWindow = async (context: ComparisonContext, window: Window): Promise<void> => {
  const { service, after, through } = window
  const held = await listHeld(context.db.pooled, window)
  const { facts } = valueOf(service, await context.ask(factRecordsOf(service).list, { after, through }))
  const own = new Map(held.map(({ factId, digest }) => [factId, digest]))
  const theirs = new Map(facts.map(({ fact_id: id, digest }) => [id, digest]))
  const ids = new Set([...own.keys(), ...theirs.keys()])
  await settleFacts(
    context,
    service,
    [...ids].filter((id) => own.get(id) !== theirs.get(id)),
  )
}

type Range = Readonly<{ service: ServiceName; after: number; through: number | null }>

/**
 * Compares the facts of a range of sequences with their source, window by window. `through` null: up to the source's last
 * closed sequence.
 * @param onWindow is called after each window with its end
 */
const compareRange = async (
  context: ComparisonContext,
  { service, ...range }: Range,
  onWindow: (through: number) => Promise<void>,
): Promise<Readonly<{ end: number; origin: string | null }>> => {
  let { after, through } = range
  for (;;) {
    const window = valueOf(service, await context.ask(factRecordsOf(service).digest, { after, through }))
    const own = await readDigest(context.db.pooled, { service, after, through: window.through })
    if (own?.digest !== window.digest)
      await settleWindow(context, { service, after, through: window.through })
    await onWindow(window.through)
    if (window.through >= window.end) return { end: window.end, origin: window.origin }
    after = window.through
    through = window.end
  }
}

/**
 * Compares new facts, and once more those of the previous comparison: a transaction can take its sequence an instant
 * before it can be seen to run. Then compares former windows again, newest first: from the newest on where the source was
 * restored or promoted, or once all are compared.
 * @param save stores the position; it throws where another replica continues
 */
export const compareSource = async (
  context: ComparisonContext,
  service: ServiceName,
  position: Position,
  save: (position: Position) => Promise<void>,
): Promise<void> => {
  const { end, origin } = await compareRange(
    context,
    { service, after: position.beforeSeq, through: null },
    (through) => save({ ...position, throughSeq: Math.max(position.throughSeq, through) }),
  )
  const isRestored = position.origin !== origin
  const now = {
    beforeSeq: position.throughSeq,
    throughSeq: Math.max(position.throughSeq, end),
    sweptSeq: isRestored || position.sweptSeq === 0 ? position.throughSeq : position.sweptSeq,
    origin,
  }
  await save(now)
  for (let windows = 0; windows < SWEPT_WINDOWS && now.sweptSeq > 0; windows += 1) {
    const through = now.sweptSeq
    const start = await readSweepStart(context.db.pooled, { service, through, offset: WINDOW_FACTS })
    now.sweptSeq = start?.after ?? 0
    await compareRange(context, { service, after: now.sweptSeq, through }, () => save(now))
  }
}
