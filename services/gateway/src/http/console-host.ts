import type { IncomingMessage } from 'node:http'

/** Checks whether a path is a prefix, or below it. */
export const isUnder = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/')

/** Paths that both hosts serve: files of screens, and health. */
const isShared = (path: string): boolean =>
  isUnder(path, '/screens') || path === '/healthz' || path === '/readyz'

/**
 * Returns whether a path is served at the host of a request (decisions §22): with a base URL of the console, the console
 * there and nowhere else, and everything else at every other host.
 */
export function createHostRule(
  consoleBaseUrl: string | null,
): (request: Pick<IncomingMessage, 'headers'>, path: string) => boolean {
  if (consoleBaseUrl === null) return () => true
  const consoleHost = new URL(consoleBaseUrl).host
  return ({ headers }, path) =>
    isShared(path) || isUnder(path, '/console') === (headers.host?.toLowerCase() === consoleHost)
}
