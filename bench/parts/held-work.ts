import { serveParent } from './child-main.ts'

/**
 * Serves the benchmark as a fan-out contender with its events in memory: it stores a list of strings, works on it at
 * `'begin'`, and answers when it is done.
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
