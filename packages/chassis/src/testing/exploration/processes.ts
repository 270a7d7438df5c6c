import type { Clock } from '../../clock.ts'
import type { Db, Transaction } from '../../db/db.ts'
import { createLogger } from '../../log.ts'
import type { ServiceContext } from '../../service-context.ts'
import { createCanonicalIds } from './canonical-ids.ts'
import { canonicalKey } from './explorer.ts'
import type { Answer } from './row-space.ts'

/** A call for which a process waits: to its database or another party. */
export type Request = Readonly<{
  /** Who is asked: `database`, or as the machine names it. */
  to: string
  does: string
  args: unknown
  /** The transaction that a database runs. */
  run?: (tx: Transaction) => Promise<unknown>
}>

/** Replaces the outside world for a process. */
export type Outside = Readonly<{
  ask: <T>(to: string, does: string, args: unknown) => Promise<T>
  db: Db
  /** The time at which it last heard anything. */
  nowMs: () => number
}>

/** A process at rest: it waits for one answer, or it has ended. */
export type Process = Readonly<{ name: string; request: Request | null; ended: Answer | null }>
export type Body = (outside: Outside) => Promise<unknown>

type Waiting = Readonly<{ request: Request; hear: (answer: Answer) => void }>
type Heard = Readonly<{ answer: Answer; atMs: number }>
/** `readsTime`: whether it has read the clock since it heard the last answer. */
type Known = Process & Readonly<{ heard: readonly Heard[]; startedMs: number; readsTime: boolean }>

const settled = () => new Promise((resolve) => setImmediate(resolve))
const textOf = (answer: Answer): string =>
  'value' in answer ? canonicalKey(answer) : `error ${String(answer.error)} ${canonicalKey(answer.error)}`

/** The database of a process: each statement, and each transaction as a whole, is a request. */
const createAskedDb = (ask: (request: Request) => Promise<unknown>, fork: () => <T>(value: T) => T): Db => {
  const query: Db['query'] = async <R>(declared: { name: string }, values: unknown) =>
    (await ask({
      to: 'database',
      does: declared.name,
      args: values,
      run: (tx) => tx.query(declared as never, fork()(values) as never),
    })) as R[]
  const unused = () => Promise.reject(new Error('Not explored'))
  return {
    query,
    pooled: { query },
    open: unused,
    transaction: async <T>(work: (tx: Transaction) => Promise<T>) => {
      const run = (tx: Transaction) => {
        const rewrite = fork()
        return work({
          query: (declared, values) => tx.query(declared, rewrite(values)),
          emit: (event) => tx.emit(rewrite(event)),
        })
      }
      return (await ask({ to: 'database', does: 'transaction', args: null, run })) as T
    },
    ping: unused,
    onEmitted: () => undefined,
    emitted: () => undefined,
    close: unused,
  }
}

/**
 * Runs production code as a state machine that stops at each outside call. Its state is the responses so far: to continue, the
 * code runs again from its beginning with the same responses. Equal histories run once.
 * @param bodies by process name; each waits only for responses, and concurrent calls are answered in order
 */
export const createProcesses = (bodies: Readonly<Record<string, Body>>) => {
  const names = Object.keys(bodies)
  const known: Known[] = []
  const children = new Map<string, Promise<number>>()
  const historyOf = (number: number): Known => known[number] as Known

  const replay = async (name: string, startedMs: number, heard: readonly Heard[]): Promise<Known> => {
    const ids = createCanonicalIds(names.indexOf(name) + 1)
    let nowMs = startedMs
    let readsTime = false
    const waiting: Waiting[] = []
    const at: { ended: Answer | null } = { ended: null }
    const ask = (request: Request) =>
      new Promise((resolve, reject) => {
        const hear = (answer: Answer) => {
          waiting.shift()
          if ('value' in answer) resolve(answer.value)
          else reject(answer.error)
        }
        waiting.push({ request: { ...request, args: ids.rewrite(request.args) }, hear })
      })
    const body = bodies[name]
    if (!body) throw new Error(`There is no process ${name}`)
    const outside: Outside = {
      ask: async <T>(to: string, does: string, args: unknown) => (await ask({ to, does, args })) as T,
      db: createAskedDb(ask, () => ids.fork().rewrite),
      nowMs: () => {
        readsTime = true
        return nowMs
      },
    }
    body(outside).then(
      (value) => (at.ended = { value }),
      (error: unknown) => (at.ended = { error: error as Error }),
    )
    await settled()
    for (const { answer, atMs } of heard) {
      nowMs = atMs
      readsTime = false
      ids.advance()
      waiting[0]?.hear(answer)
      await settled()
    }
    const { ended } = at
    const request = waiting[0]?.request ?? null
    if (!request && !ended) throw new Error(`${name} awaits something other than an answer`)
    return { name, request, ended, heard, startedMs, readsTime }
  }
  const add = async (name: string, startedMs: number, heard: readonly Heard[]): Promise<number> =>
    known.push(await replay(name, startedMs, heard)) - 1
  /** A history that does not read the clock is the same at any time. */
  const once = async (key: string, atMs: number, make: () => Promise<number>): Promise<number> => {
    const timed = `${key} ${atMs}`
    const made = children.get(key) ?? children.get(timed) ?? make()
    children.set(timed, made)
    const number = await made
    if (!historyOf(number).readsTime) children.set(key, made)
    return number
  }

  return {
    /** The number of a process that begins at this time. */
    start: (name: string, atMs: number) => once(name, atMs, () => add(name, atMs, [])),
    get: (number: number): Process => historyOf(number),
    /** The number of the process when it has heard an answer to what it waits for. */
    hear: (number: number, answer: Answer, atMs: number) =>
      once(`${number} ${textOf(answer)}`, atMs, () => {
        const { name, startedMs, heard } = historyOf(number)
        return add(name, startedMs, [...heard, { answer, atMs }])
      }),
  }
}
export type Processes = ReturnType<typeof createProcesses>

const log = createLogger({ service: 'test', level: 'silent' })

/** The time of a process is that at which it last heard anything. */
const clockOf = ({ nowMs }: Outside): Clock => ({
  nowMs,
  now: () => new Date(nowMs()),
  outsideMs: nowMs,
  advance: () => undefined,
  offsetMs: () => 0,
  onMoved: () => () => undefined,
  follow: () => undefined,
})

/** Creates a context for production code; parts that the exploration does not simulate are missing. */
export const contextOf = (outside: Outside): ServiceContext =>
  ({ db: outside.db, clock: clockOf(outside), log, timeoutFactor: 1 }) as unknown as ServiceContext
