import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Ticks of the CPU times in `/proc` are hundredths of a second for user space on every Linux (proc_pid_stat(5)). */
const MICROSECONDS_PER_TICK = 10_000

/** True if this system reports CPU time and memory of other processes. */
export const hasProc = existsSync('/proc/self/stat')

type Stat = Readonly<{ parent: number; ownUs: number; endedChildrenUs: number }>

/** Reads `/proc/<pid>/stat`; null when the process is gone. The name in it may hold spaces and brackets. */
const readStat = (pid: number): Stat | null => {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const at = (index: number) => fields[index] ?? 0
  return {
    parent: at(1),
    ownUs: (at(11) + at(12)) * MICROSECONDS_PER_TICK,
    endedChildrenUs: (at(13) + at(14)) * MICROSECONDS_PER_TICK,
  }
}

/** The child processes of a process; none where this system does not tell. */
export const childrenOf = (pid: number): number[] =>
  hasProc
    ? readdirSync('/proc')
        .map(Number)
        .filter((candidate) => Number.isInteger(candidate) && readStat(candidate)?.parent === pid)
    : []

/** Scope of a measurement: a process alone, a server with its child processes, or all ended child processes of this one. */
export type Measured = Readonly<{
  name: string
  pid: number
  counts?: 'withChildren' | 'endedChildren'
}>

const pidsOf = (measured: Measured): number[] =>
  measured.counts === 'withChildren' ? [measured.pid, ...childrenOf(measured.pid)] : [measured.pid]

/** CPU time so far in microseconds; 0 where the system does not report it. */
export const cpuUsOf = (measured: Measured): number => {
  if (!hasProc) return 0
  if (measured.counts === 'endedChildren') return readStat(measured.pid)?.endedChildrenUs ?? 0
  const withEnded = measured.counts === 'withChildren'
  return pidsOf(measured)
    .map(readStat)
    .reduce((sum, stat) => sum + (stat?.ownUs ?? 0) + (withEnded ? (stat?.endedChildrenUs ?? 0) : 0), 0)
}

const kilobytes = (path: string, field: string): number => {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/**
 * Resident memory in bytes. Of a server with children each page counts once (PSS), because they share most of it.
 */
export const residentBytesOf = (measured: Measured): number => {
  if (!hasProc) return 0
  const shared = measured.counts === 'withChildren'
  const ofPid = (pid: number) =>
    shared ? kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss') : kilobytes(`/proc/${pid}/status`, 'VmRSS')
  return pidsOf(measured).reduce((sum, pid) => sum + ofPid(pid), 0) * 1024
}

/** Places of the times without work in the first line of `/proc/stat`. */
const IDLE = 3
const IOWAIT = 4

/** CPU time of the whole machine so far, in ticks. */
const readTicks = (): { busy: number; total: number } => {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const ticks = (line ?? '').split(/\s+/).slice(1, 9).map(Number)
  const total = ticks.reduce((sum, value) => sum + value, 0)
  return { total, busy: total - (ticks[IDLE] ?? 0) - (ticks[IOWAIT] ?? 0) }
}

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
