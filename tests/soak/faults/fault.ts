import type { Random } from '../random.ts'
import type { SoakPlatform } from '../soak-platform.ts'

/** One fault: what it does, and how it ends. */
export type Fault = Readonly<{
  /** `kill of payments`: what the report says. */
  what: string
  begin: () => Promise<void> | void
  /** Absent: the fault ends immediately. It may be called more than once. */
  end?: () => Promise<void> | void
  lastsMs?: number
}>

/** A kind of fault; each call gives one for the seed's next choices. */
export type FaultKind = Readonly<{ kind: string; next: (platform: SoakPlatform, random: Random) => Fault }>

/** Gives all items in random order before any comes again, so that a short run has them all as well. */
export const createBag = <T>(items: readonly T[], random: Random): (() => T) => {
  let left: T[] = []
  return () => {
    if (left.length === 0) left = [...items]
    const [taken] = left.splice(random.integer(0, left.length - 1), 1)
    return taken as T
  }
}
