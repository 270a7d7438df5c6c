import { readFileSync } from 'node:fs'
import { cpuUsOf, hasProc, type Measured } from './proc.ts'

const IDLE = 3
const IOWAIT = 4

/** CPU time of the whole machine so far, in ticks. */
const readTicks = (): { busy: number; total: number } => {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const ticks = (line ?? '').split(/\s+/).slice(1, 9).map(Number)
  const total = ticks.reduce((sum, value) => sum + value, 0)
  return { total, busy: total - (ticks[IDLE] ?? 0) - (ticks[IOWAIT] ?? 0) }
}

const MICROSECONDS_PER_TICK = 10_000

/**
 * Measures the share of the machine's CPU that other processes take.
 * @returns a function that returns the share since this call; 0 where the system does not report it
 */
export const watchOthers = (processes: readonly Measured[]): (() => number) => {
  if (!hasProc) return () => 0
  const ours = [...processes, { name: 'bench', pid: process.pid }]
  const usOf = () => ours.reduce((sum, measured) => sum + cpuUsOf(measured), 0)
  const from = readTicks()
  const fromUs = usOf()
  return () => {
    const to = readTicks()
    const othersTicks = to.busy - from.busy - (usOf() - fromUs) / MICROSECONDS_PER_TICK
    return Math.max(0, othersTicks / (to.total - from.total))
  }
}
