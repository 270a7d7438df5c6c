import { metrics, startLoop, type Loop } from '@causeway/chassis'
import { FACT_SOURCES, type ServiceName } from '@causeway/contracts'
import { randomUUID } from 'node:crypto'
import { compareSource } from '../compare-windows.ts'
import { listOpen } from '../differences-store.ts'
import { settleFacts, type ComparisonContext } from '../settle-facts.ts'
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
  'Time since the ledger last compared its facts with those of every source; 0 before the first comparison',
)
const differing = metrics.gauge(
  'causeway_ledger_facts_differing',
  `Facts on which the books and their source differ and that staff have not accepted; counted up to ${BOUND}`,
)

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
  const position = await claimComparison(db, claimed)
  if (position === null) return
  const save = async (reached: Position): Promise<void> => {
    signal.throwIfAborted()
    if ((await saveProgress(db, { ...reached, service, holder, leaseUntil: leaseUntil() })) === null)
      throw new Error(`Another replica compares the facts of ${service}`)
  }
  let comparedAt: Date | null = null
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
  } finally {
    const dueAt = comparedAt === null ? clock.now() : new Date(clock.nowMs() + everyMs)
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
 * Compares the received facts with their sources at an interval, one replica at a time, and fetches what is missing
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
        for (const service of FACT_SOURCES) await compare(context, service, { holder, everyMs, signal })
      } finally {
        await updateGauges(context)
      }
    },
  })
}
