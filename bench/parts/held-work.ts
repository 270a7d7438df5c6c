import { serveParent } from './child-main.ts'

/**
 * Serves the benchmark as a contender of fan-out whose events wait in its memory: a list of strings is taken and kept
 * until `'begin'` comes, which is answered when the work on them is done.
 */
export const serveHeldWork = <T>(
  take: (given: readonly string[]) => T,
  work: (held: T) => Promise<void>,
): void => {
  let held: T | null = null
  serveParent('ready', async (message: readonly string[] | 'begin') => {
    if (message !== 'begin') held = take(message)
    else if (held === null) throw new Error('There is no work to begin with')
    else await work(held)
    return null
  })
}
