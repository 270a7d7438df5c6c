import { cpuUsOf, watchOthers, type Measured } from './proc.ts'
import { untilQuiet } from './quiet.ts'

/**
 * The result of one run of a load. `done` within `seconds`; `finished` also counts what was in flight at their end and
 * finished later: its CPU is in the figures.
 */
export type Run = Readonly<{
  done: number
  seconds: number
  finished?: number
  p50Ms?: number
  p99Ms?: number
}>

/** Something whose speed is measured: the product or its floor. */
export type Contender = Readonly<{
  name: string
  processes: readonly Measured[]
  /** Runs the load for about this time. */
  run: (durationMs: number) => Promise<Run>
  /** Does for this time what `run` does in addition to its load, to measure the CPU that the work does not cost. */
  idle?: (durationMs: number) => Promise<void>
  /** Polls so dearly that it never comes to rest: nobody waits for that, and what it takes is in everybody's figures. */
  neverRests?: true
}>

/** One contender's figures of one round. */
export type Round = Readonly<{
  perSecond: number
  p50Ms: number | null
  p99Ms: number | null
  /** CPU microseconds per unit of work, by process, background work included and idle CPU subtracted. */
  cpuUs: Readonly<Record<string, number>>
  /** The subtracted idle CPU per unit of work; 0 where it is not measured. */
  idleUs: number
  /** Share of the machine's CPU that other processes took meanwhile. */
  others: number
}>

/** All rounds of one contender. */
export type Result = Readonly<{ name: string; rounds: readonly Round[] }>

/** `disturbedRounds`: bound of rounds that are measured again because other processes took much CPU. */
export type RoundPlan = Readonly<{
  rounds: number
  durationMs: number
  warmUpMs: number
  disturbedRounds: number
}>

/** CPU microseconds that each of a contender's processes takes in a second without work. */
const measureIdle = async ({ processes, idle }: Contender, durationMs: number): Promise<number[]> => {
  if (!idle) return processes.map(() => 0)
  const before = processes.map(cpuUsOf)
  const startedMs = performance.now()
  await idle(durationMs)
  const seconds = (performance.now() - startedMs) / 1_000
  return processes.map((measured, index) => (cpuUsOf(measured) - (before[index] ?? 0)) / seconds)
}

/** Until the background work of a load is done, so that it is counted and burdens nobody's next round. */
const rest = async ({ processes, neverRests }: Contender): Promise<void> => {
  if (neverRests !== true) await untilQuiet(processes)
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const measure = async (contender: Contender, durationMs: number): Promise<Round> => {
  const idleRates = await measureIdle(contender, durationMs)
  const before = contender.processes.map(cpuUsOf)
  const startedMs = performance.now()
  const othersShare = watchOthers(contender.processes)
  const run = await contender.run(durationMs)
  const others = othersShare()
  await rest(contender)
  const after = contender.processes.map(cpuUsOf)
  const elapsedSeconds = (performance.now() - startedMs) / 1_000
  const finished = run.finished ?? run.done
  const cpuUs = contender.processes.map(({ name }, index) => {
    const idleUs = (idleRates[index] ?? 0) * elapsedSeconds
    return [name, ((after[index] ?? 0) - (before[index] ?? 0) - idleUs) / finished]
  })
  return {
    perSecond: run.done / run.seconds,
    p50Ms: run.p50Ms ?? null,
    p99Ms: run.p99Ms ?? null,
    cpuUs: Object.fromEntries(cpuUs) as Record<string, number>,
    idleUs: (sumOf(idleRates) * elapsedSeconds) / finished,
    others,
  }
}

/** A round in which other processes took more than this share of the machine is measured again. */
const UNDISTURBED = 0.1

const disturbanceOf = (round: readonly Round[]): number => Math.max(...round.map(({ others }) => others))

/**
 * Measures contenders in turns, A B C, A B C, …, because the machine is shared: a disturbance affects all contenders of
 * a round, and the medians of the rounds' ratios stay comparable. When too many rounds were disturbed, the least
 * disturbed ones count.
 */
export const measureInTurns = async <const Contenders extends readonly Contender[]>(
  contenders: Contenders,
  plan: RoundPlan,
): Promise<{ [Index in keyof Contenders]: Result }> => {
  for (const contender of contenders) {
    await contender.run(plan.warmUpMs)
    await rest(contender)
  }
  const measured: Round[][] = []
  const calm = () => measured.filter((round) => disturbanceOf(round) <= UNDISTURBED).length
  while (calm() < plan.rounds && measured.length < plan.rounds + plan.disturbedRounds) {
    const round: Round[] = []
    for (const contender of contenders) round.push(await measure(contender, plan.durationMs))
    measured.push(round)
  }
  const counted = measured.sort((a, b) => disturbanceOf(a) - disturbanceOf(b)).slice(0, plan.rounds)
  const results = contenders.map(({ name }, index) => ({
    name,
    rounds: counted.map((round) => round[index] as Round),
  }))
  return results as { [Index in keyof Contenders]: Result }
}
