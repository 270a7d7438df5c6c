import { FACT_DIGEST, queryMany, reply, type Db, type Queryable, type ServiceClient } from '@causeway/chassis'
import {
  answered,
  contextOf,
  createProcesses,
  createSystem,
  explore,
  failed,
  type Body,
  type Outside,
  type Reaction,
  type Request,
  type RowSpace,
  type StatementMutant,
  type Step,
} from '@causeway/chassis/exploration'
import type { DomainEvent, LedgerFact } from '@causeway/contracts'
import { z } from 'zod'
import { settleFacts } from '../../src/comparison/settle-facts.ts'
import { postEvents, readFacts } from '../../src/facts/reactions.ts'
import { postDue } from '../../src/posting/store.ts'
import { timeOf } from '../fixtures/facts.ts'
import { postingRules } from './posting-rules.ts'
import { deliveries, FACTS, type PostingState, type World } from './posting-world.ts'

const DAYS = [timeOf(1), timeOf(3)] as const

/** `comparing`: the comparison fetches and posts all facts, once. `releases`: the job that posts what is due. */
export type WorkerName = 'worker1' | 'worker2' | 'comparing' | 'releases'
export type Scope = Readonly<{ workers: readonly WorkerName[]; faults: number }>
export type Mutant = Readonly<{
  /** Changes the work of a worker on events of the stream. */
  worker?: (outside: Outside, name: string) => ReturnType<Body>
  statement?: StatementMutant
}>

/** An event as the stream delivers it. */
export const eventOf = (place: number, fact: LedgerFact | undefined = FACTS[place]): DomainEvent => ({
  id: `evt_${String(place).padStart(26, '0')}`,
  sequence: place + 1,
  name: 'payment.confirmed',
  created_at: timeOf(0),
  partners: [],
  merchant: null,
  fact: null,
  ledger_facts: fact === undefined ? [] : [fact],
})

const deliver = ({ ask }: Outside) => ask<number[]>('stream', 'delivers', null)
const acknowledge = ({ ask }: Outside, places: readonly number[]) => ask('stream', 'is acknowledged', places)
export const stream = { deliver, acknowledge }

export const post = (outside: Outside, events: readonly DomainEvent[]): Promise<void> =>
  postEvents(
    contextOf(outside),
    events.map((event) => readFacts({ event })),
  )

const work = async (outside: Outside): Promise<void> => {
  const places = await deliver(outside)
  await post(
    outside,
    places.map((place) => eventOf(place)),
  )
  await acknowledge(outside, places)
}

const readDigests = queryMany({
  name: 'test.fact-digests',
  parameters: { facts: 'jsonb' },
  text: `SELECT ${FACT_DIGEST} AS digest FROM jsonb_array_elements(:facts) WITH ORDINALITY AS f (fact, place) ORDER BY place`,
  row: z.object({ digest: z.string() }),
})

/** The facts as their source keeps them. */
const keptFacts = async (space: RowSpace) => {
  const { answer } = await space.run(space.initial, 'digests', (tx) =>
    readDigests(tx, { facts: JSON.stringify(FACTS) }),
  )
  if ('error' in answer) throw answer.error
  const digests = answer.value as { digest: string }[]
  return FACTS.map((fact, place) => ({
    fact_id: fact.fact_id,
    sequence: place + 1,
    digest: digests[place]?.digest ?? '',
    fact,
  }))
}

/** A database whose lost answers have the code of a lost connection, by which the comparison knows them. */
const withLostConnections = (db: Db): Db => {
  const query: Queryable['query'] = (declared, values) =>
    db.pooled.query(declared, values).catch((error: unknown) => {
      throw Object.assign(error as Error, { code: (error as { code?: string }).code ?? '08006' })
    })
  return { ...db, pooled: { query } }
}

const createBodies = (facts: unknown, { worker = work }: Mutant): Record<WorkerName, Body> => ({
  worker1: (outside) => worker(outside, 'worker1'),
  worker2: (outside) => worker(outside, 'worker2'),
  comparing: (outside) => {
    const ask = (async () => {
      await outside.ask('source', 'gives its facts', null)
      return reply({ facts })
    }) as unknown as ServiceClient
    const context = contextOf(outside)
    return settleFacts(
      { ...context, db: withLostConnections(context.db), ask },
      'payments',
      FACTS.map(({ fact_id: id }) => id),
    )
  },
  releases: async (outside) => {
    const { db, clock } = contextOf(outside)
    await postDue(db.pooled, { now: clock.now(), limit: 1 })
  },
})

const reactions = ({ to, does, args }: Request, { world }: PostingState): Reaction<World>[] => {
  if (to === 'source') return [{ name: does, world, answer: answered(null) }]
  if (does === 'delivers')
    return deliveries(world.acked).map((places) => ({
      name: `the stream delivers ${places.join(', ')}`,
      world,
      answer: answered(places),
    }))
  const acked = [...new Set([...world.acked, ...(args as number[])])].sort()
  const lost = failed(new Error('The connection to NATS was lost'))
  return [
    { name: does, world: { ...world, acked }, answer: answered(null) },
    { name: 'an acknowledgement is lost', world, answer: lost, isFault: true },
  ]
}

/** Explores the posting of {@link FACTS} from a stream that delivers again what is not acknowledged, breadth first. */
export const explorePosting = async (space: RowSpace, { workers, faults }: Scope, mutant: Mutant = {}) => {
  const processes = createProcesses(createBodies(await keptFacts(space), mutant))
  const system = createSystem<World>({
    space,
    processes,
    reactions,
    ended: (name, outcome, { world }) =>
      name === 'comparing' && 'value' in outcome ? { ...world, isCompared: true } : world,
    ...(mutant.statement && { mutant: mutant.statement }),
  })
  const isDue = ({ rows, nowMs }: PostingState): boolean =>
    (space.rowsOf(rows)['books.scheduled'] ?? []).some(({ due_at: at }) => Date.parse(String(at)) <= nowMs)
  const hasWork = (state: PostingState, name: WorkerName): boolean => {
    if (name === 'releases') return isDue(state)
    if (name === 'comparing') return !state.world.isCompared
    return state.world.acked.length < FACTS.length
  }
  const days = workers.includes('releases') ? DAYS : DAYS.slice(0, 1)
  const steps = async (state: PostingState): Promise<Step<PostingState>[]> => {
    const found = await system.stepsOfProcesses(state)
    for (const name of workers)
      if (!(name in state.running) && hasWork(state, name))
        found.push({ name: `${name} begins`, to: await system.begin(state, name) })
    const day = state.world.day + 1
    const at = days[day]
    if (at !== undefined)
      found.push({
        name: 'time passes',
        to: { ...state, nowMs: Date.parse(at), world: { ...state.world, day } },
      })
    return found
  }
  return explore<PostingState>({
    initial: {
      nowMs: Date.parse(DAYS[0]),
      rows: space.initial,
      running: {},
      faultsLeft: faults,
      world: { acked: [], isCompared: !workers.includes('comparing'), day: 0 },
    },
    steps,
    ...postingRules(space, days.at(-1) ?? DAYS[0]),
    maxStates: 100_000,
  })
}
