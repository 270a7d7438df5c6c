import { watchOthers } from './machine.ts'
import { cpuUsOf, type Measured } from './proc.ts'
import { untilQuiet } from './quiet.ts'

/** What one run of a load came to. */
export type Run = Readonly<{ done: number; seconds: number; p50Ms?: number; p99Ms?: number }>

/** Something whose speed is measured: the product or its floor. */
export type Contender = Readonly<{
  name: string
  processes: readonly Measured[]
  /** Puts it under load for about so long. */
  run: (durationMs: number) => Promise<Run>
}>

/** One contender's figures of one round. */
export type Round = Readonly<{
  perSecond: number
  p50Ms: number | null
  p99Ms: number | null
  /** CPU microseconds per unit of work, by process; the work that a load leaves behind is counted. */
  cpuUs: Readonly<Record<string, number>>
  /** Share of the machine that went to others meanwhile. */
  others: number
}>

/** All rounds of one contender. */
export type Result = Readonly<{ name: string; rounds: readonly Round[] }>

/** `disturbedRounds`: at most so many rounds are measured again because others took much of the machine. */
export type RoundPlan = Readonly<{
  rounds: number
  durationMs: number
  warmUpMs: number
  disturbedRounds: number
}>

const measure = async (contender: Contender, durationMs: number): Promise<Round> => {
  const before = contender.processes.map(cpuUsOf)
  const othersShare = watchOthers(contender.processes)
  const run = await contender.run(durationMs)
  const others = othersShare()
  await untilQuiet(contender.processes)
  const cpuUs = contender.processes.map((measured, index) => [
    measured.name,
    (cpuUsOf(measured) - (before[index] ?? 0)) / run.done,
  ])
  return {
    perSecond: run.done / run.seconds,
    p50Ms: run.p50Ms ?? null,
    p99Ms: run.p99Ms ?? null,
    cpuUs: Object.fromEntries(cpuUs) as Record<string, number>,
    others,
  }
}

/** A round in which others took more than this share of the machine is measured again. */
const UNDISTURBED = 0.1

const disturbanceOf = (round: readonly Round[]): number => Math.max(...round.map(({ others }) => others))

/**
 * Measures contenders in turns, A B C, A B C, …, because the machine is seldom all ours: what disturbs one round
 * disturbs all contenders of it, and the medians of the rounds' ratios stay comparable. When too many rounds were
 * disturbed, the least disturbed ones count.
 */
export const measureInTurns = async <const Contenders extends readonly Contender[]>(
  contenders: Contenders,
  plan: RoundPlan,
): Promise<{ [Index in keyof Contenders]: Result }> => {
  for (const contender of contenders) {
    await contender.run(plan.warmUpMs)
    await untilQuiet(contender.processes)
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
