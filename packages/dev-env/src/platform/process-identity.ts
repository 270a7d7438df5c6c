import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const hasProc = existsSync('/proc/self/stat')

/** The fields of `/proc/<pid>/stat` after the name, which may itself hold spaces and brackets. */
const statFields = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const orNull = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch {
    return null
  }
}

const ps = (pid: number, column: string): string =>
  execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** The parent's process id; null when there is no such process. */
export const parentOf = (pid: number): number | null =>
  orNull(() => Number(hasProc ? statFields(pid)[1] : ps(pid, 'ppid')))

/** The processes that a process has started and that run. */
export const childrenOf = (pid: number): number[] => {
  if (hasProc)
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((candidate) => parentOf(candidate) === pid)
  const listed = orNull(() => execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }))
  return (listed ?? '').split('\n').filter(Boolean).map(Number)
}

/** Program and arguments as the process shows them; null when there is no such process. */
export const commandOf = (pid: number): string | null =>
  orNull(() =>
    hasProc ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : ps(pid, 'command'),
  )

/**
 * Identifies a process across reuse of its pid: the pid, its start time and, where known, the boot of the machine. Null
 * when it has ended, also as a zombie.
 */
export const identityOf = (pid: number): string | null =>
  orNull(() => {
    if (!hasProc) return `${pid} ${ps(pid, 'lstart').trim()}`
    const fields = statFields(pid)
    if (fields[0] === 'Z') return null
    return `${pid} ${fields[19] ?? ''} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  })
