import { metrics, startLoop, type Loop } from '@causeway/chassis'
import { FACT_SOURCES, REQUIRED_SERVICES, type ServiceName } from '@causeway/contracts'
import { randomUUID } from 'node:crypto'
import { compareSource } from '../compare-windows.ts'
import { listOpen } from '../differences-store.ts'
import { NoAnswerError, settleFacts, type ComparisonContext } from '../settle-facts.ts'
import { claimComparison, readState, releaseComparison, saveProgress, type Position } from '../store.ts'

/** How often a replica looks whether a comparison is due, and counts what is open. */
const LOOK_EVERY_MS = 2_000
/** Longer than a window takes, after which the lease is renewed. */
const LEASE_MS = 20_000
/** Differences that one run compares again. */
const RECHECKED = 200
const BOUND = 100_000

const age = metrics.gauge(
  'causeway_ledger_facts_compared_age_seconds',
  'Time since the ledger last compared its facts with those of every source that it has compared; 0 before the first comparison',
)
const differing = metrics.gauge(
  'causeway_ledger_facts_differing',
  `Facts on which the books and their source differ and that staff have not accepted; counted up to ${BOUND}`,
)

const isRequired = (service: ServiceName): boolean =>
  (REQUIRED_SERVICES as readonly ServiceName[]).includes(service)

const compare = async (
  context: ComparisonContext,
  service: ServiceName,
  { holder, everyMs, signal }: Readonly<{ holder: string; everyMs: number; signal: AbortSignal }>,
): Promise<void> => {
  const {
    clock,
    db: { pooled: db },
  } = context
  const leaseUntil = () => new Date(clock.nowMs() + LEASE_MS)
  const claimed = { service, holder, now: clock.now(), leaseUntil: leaseUntil() }
  const due = await claimComparison(db, claimed)
  if (due === null) return
  const { comparedAt: lastComparedAt, ...position } = due
  const save = async (reached: Position): Promise<void> => {
    signal.throwIfAborted()
    if ((await saveProgress(db, { ...reached, service, holder, leaseUntil: leaseUntil() })) === null)
      throw new Error(`Another replica compares the facts of ${service}`)
  }
  let comparedAt: Date | null = null
  let isAbsent = false
  try {
    const open = await listOpen(db, { limit: RECHECKED })
    const ofService = open.filter((each) => each.service === service)
    await settleFacts(
      context,
      service,
      ofService.map(({ factId }) => factId),
    )
    await compareSource(context, service, position, save)
    comparedAt = clock.now()
  } catch (error) {
    // A service that is not required may not run here. Once it was compared, its absence is a fault.
    isAbsent = error instanceof NoAnswerError && !isRequired(service) && lastComparedAt === null
    if (!isAbsent) throw error
  } finally {
    const isRepeated = comparedAt === null && !isAbsent
    const dueAt = isRepeated ? clock.now() : new Date(clock.nowMs() + everyMs)
    await releaseComparison(db, { service, holder, dueAt, comparedAt })
  }
}

const updateGauges = async ({ db, clock }: Pick<ComparisonContext, 'db' | 'clock'>): Promise<void> => {
  const state = await readState(db.pooled, { bound: BOUND })
  const comparedAt = state?.comparedAt ?? null
  age.set(comparedAt === null ? 0 : Math.max(0, clock.nowMs() - comparedAt.getTime()) / 1_000)
  differing.set(state?.open ?? 0)
}

/**
 * Compares the received facts with their sources at an interval, each in one replica at a time, and fetches what is missing
 * (ADR 0080). A comparison that fails is repeated soon.
 */
export const startComparison = (context: ComparisonContext, everyMs: number): Loop => {
  const holder = randomUUID()
  return startLoop({
    name: 'compare-facts',
    everyMs: Math.min(LOOK_EVERY_MS, everyMs),
    restMs: 0,
    log: context.log,
    async run(signal) {
      try {
        const options = { holder, everyMs, signal }
        const ends = await Promise.allSettled(
          FACT_SOURCES.map((service) => compare(context, service, options)),
        )
        for (const end of ends) if (end.status === 'rejected') throw end.reason
      } finally {
        await updateGauges(context)
      }
    },
  })
}
