import type { Step } from './explorer.ts'
import type { Processes, Request } from './processes.ts'
import type { Answer, RowSpace, StatementMutant } from './row-space.ts'

/** A whole system at one moment. `world` is everything that is no process and no row, as plain JSON. */
export type SystemState<W> = Readonly<{
  nowMs: number
  /** Number of the rows, see {@link RowSpace}. */
  rows: number
  /** Number of each running process by its name, see {@link Processes}. */
  running: Readonly<Record<string, number>>
  /** How many crashes and faults may still happen. */
  faultsLeft: number
  world: W
}>

/** One way in which another party may answer a request. */
export type Reaction<W> = Readonly<{ name: string; world: W; answer: Answer; isFault?: boolean }>

export type SystemParts<W> = Readonly<{
  space: RowSpace
  processes: Processes
  /** How the party that is asked may answer. */
  reactions: (request: Request, state: SystemState<W>) => readonly Reaction<W>[]
  /** The world when a process has ended with this. */
  ended: (name: string, outcome: Answer, state: SystemState<W>) => W
  /** The world when a process has crashed; left out: as before. */
  crashed?: (name: string, state: SystemState<W>) => W
  mutant?: StatementMutant | undefined
}>

export const answered = (value: unknown): Answer => ({ value })
export const failed = (error: Error): Answer => ({ error })

/** Errors that the product throws on purpose are named or plain; the language's own tell of a defect. */
const isDefect = (error: Error): boolean =>
  error instanceof TypeError || error instanceof RangeError || error.name === 'ZodError'

let systems = 0

/**
 * The steps of all running processes: each hears the next answer, or crashes; its database commits and answers, or
 * commits and the answer is lost.
 */
export const createSystem = <W>({ space, processes, reactions, ended, mutant, ...parts }: SystemParts<W>) => {
  const own = (systems += 1)
  const without = ({ running }: SystemState<W>, name: string) =>
    Object.fromEntries(Object.entries(running).filter(([each]) => each !== name))

  const hear = async (state: SystemState<W>, name: string, answer: Answer): Promise<SystemState<W>> => {
    const number = await processes.hear(state.running[name] ?? -1, answer, state.nowMs)
    const outcome = processes.get(number).ended
    if (!outcome) return { ...state, running: { ...state.running, [name]: number } }
    if ('error' in outcome && isDefect(outcome.error)) throw outcome.error
    return { ...state, running: without(state, name), world: ended(name, outcome, state) }
  }
  const crashed = (state: SystemState<W>, name: string): SystemState<W> => ({
    ...state,
    running: without(state, name),
    faultsLeft: state.faultsLeft - 1,
    world: parts.crashed?.(name, state) ?? state.world,
  })

  const databaseSteps = async (state: SystemState<W>, name: string, request: Request) => {
    const { does, args, run } = request
    if (!run) throw new Error(`${name} has nothing to run at "${does}"`)
    // A transaction is a function of its process, which is this system's; a statement is its text and its values.
    const key =
      does === 'transaction' ? `${own} ${state.running[name] ?? -1}` : `${does} ${JSON.stringify(args)}`
    const { rows, answer } = await space.run(state.rows, key, run, mutant)
    const committed = { ...state, rows }
    const steps: Step<SystemState<W>>[] = [
      { name: `${name}: ${does}`, to: await hear(committed, name, answer) },
    ]
    if (state.faultsLeft > 0 && rows !== state.rows)
      steps.push({
        name: `${name}: ${does}, its answer is lost`,
        to: await hear(
          { ...committed, faultsLeft: state.faultsLeft - 1 },
          name,
          failed(new Error('The connection to the database was lost')),
        ),
      })
    return steps
  }
  const outsideSteps = (state: SystemState<W>, name: string, request: Request) =>
    Promise.all(
      reactions(request, state)
        .filter(({ isFault = false }) => !isFault || state.faultsLeft > 0)
        .map(async (reaction) => {
          const faultsLeft = state.faultsLeft - (reaction.isFault ? 1 : 0)
          const to = await hear({ ...state, faultsLeft, world: reaction.world }, name, reaction.answer)
          return { name: `${name}: ${reaction.name}`, to }
        }),
    )

  return {
    /** The state in which this process has begun. */
    begin: async (state: SystemState<W>, name: string): Promise<SystemState<W>> => ({
      ...state,
      running: { ...state.running, [name]: await processes.start(name, state.nowMs) },
    }),
    stepsOfProcesses: async (state: SystemState<W>): Promise<Step<SystemState<W>>[]> => {
      const steps: Step<SystemState<W>>[] = []
      for (const [name, number] of Object.entries(state.running)) {
        const { request } = processes.get(number)
        if (!request) throw new Error(`${name} has ended`)
        const isOwn = request.to === 'database'
        steps.push(...(await (isOwn ? databaseSteps : outsideSteps)(state, name, request)))
        if (state.faultsLeft > 0)
          steps.push({ name: `${name} crashes before ${request.does}`, to: crashed(state, name) })
      }
      return steps
    },
  }
}
