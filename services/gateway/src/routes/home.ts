import { homePage } from '@causeway/screens'
import { send } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { SCREEN_SECURITY } from '../http/security-headers.ts'

const HTML = 'text/html; charset=utf-8'
const VARY = ['Cache-Control', 'no-store', 'Vary', 'Accept'] as const

/**
 * Creates the answer to people who open the base URL: the home page, and at the console's own host the way to the
 * console. The page names the console only where it is at the same host: its own may not be public.
 */
export function createShowHome(
  consoleBaseUrl: string | null,
  isConsoleHost: (exchange: Exchange) => boolean,
): (exchange: Exchange) => void {
  const bytes = homePage(consoleBaseUrl === null ? '/console' : null).toString()
  return (exchange) =>
    consoleBaseUrl !== null && isConsoleHost(exchange)
      ? send(exchange, { status: 302, type: HTML, bytes: '', headers: [...VARY, 'Location', '/console'] })
      : send(exchange, { status: 200, type: HTML, bytes, headers: VARY, security: SCREEN_SECURITY })
}
