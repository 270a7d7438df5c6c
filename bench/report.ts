import { spreadOf, type Spread } from './measure/statistics.ts'
import type { Result, Round } from './measure/rounds.ts'

export const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}

const withSpread = ({ median, low, high }: Spread, digits: number): string =>
  `${median.toFixed(digits)} [${low.toFixed(digits)} to ${high.toFixed(digits)}]`

const medianOf = (rounds: readonly Round[], figure: (round: Round) => number | null): string => {
  const values = rounds.map(figure).filter((value) => value !== null)
  return values.length === 0 ? '' : spreadOf(values).median.toFixed(2)
}

const ofRounds = (rounds: readonly Round[], figure: (round: Round) => number): Spread =>
  spreadOf(rounds.map(figure))

/** Each contender's result: speed with its spread, latency, and CPU per unit of work by process. */
export const contenderLines = (unit: string, contenders: readonly Result[]): string[] => {
  const head = [
    '',
    `${unit}/s, median [least to greatest]`,
    'p50 ms',
    'p99 ms',
    `CPU µs a ${unit}`,
    'others %',
  ]
  const rows = contenders.map(({ name, rounds }) => [
    name,
    withSpread(
      ofRounds(rounds, (round) => round.perSecond),
      0,
    ),
    medianOf(rounds, (round) => round.p50Ms),
    medianOf(rounds, (round) => round.p99Ms),
    ofRounds(rounds, totalCpuUs).median.toFixed(0),
    (100 * ofRounds(rounds, (round) => round.others).median).toFixed(0),
  ])
  const byProcess = contenders.map(({ name, rounds }) => {
    const names = Object.keys(rounds[0]?.cpuUs ?? {})
    const parts = names.map((process) => {
      const { median } = ofRounds(rounds, (round) => round.cpuUs[process] ?? 0)
      return `${process} ${median.toFixed(median < 10 ? 1 : 0)}`
    })
    const { median: idleUs } = ofRounds(rounds, (round) => round.idleUs)
    const takenOff = idleUs === 0 ? '' : `; without work ${idleUs.toFixed(0)} in the same time, taken off`
    return `${name}: ${parts.join(', ')}${takenOff}`
  })
  return [...table([head, ...rows]), `CPU µs a ${unit} by process:`, ...byProcess.map((line) => `  ${line}`)]
}

const totalCpuUs = (round: Round): number => Object.values(round.cpuUs).reduce((sum, cpuUs) => sum + cpuUs, 0)

const perRound = (result: Result, floor: Result, figure: (round: Round) => number): Spread =>
  spreadOf(result.rounds.map((round, index) => figure(round) / figure(floor.rounds[index] as Round)))

/**
 * The ratio of a contender to its floor: the median of the rounds' ratios.
 * @param aim what the ratio should be, in words
 */
export const ratioLines = (result: Result, floor: Result, aim: string): string[] => {
  const speed = perRound(result, floor, (round) => round.perSecond)
  const cpu = perRound(result, floor, totalCpuUs)
  const p99 = perRound(result, floor, (round) => round.p99Ms ?? Number.NaN)
  return [
    `${result.name}: ${withSpread(speed, 2)} of the speed of ${floor.name} (${aim})`,
    `  its CPU ${withSpread(cpu, 2)}`,
    ...(Number.isNaN(p99.median) ? [] : [`  its p99 ${withSpread(p99, 2)}`]),
  ]
}

export const memoryLines = (
  rows: readonly Readonly<{ name: string; idleBytes: number; loadBytes: number }>[],
): string[] => {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0)
  return table([
    ['Process', 'idle MiB', 'greatest under load MiB'],
    ...rows.map(({ name, idleBytes, loadBytes }) => [name, megabytes(idleBytes), megabytes(loadBytes)]),
  ])
}
