import { setTimeout as delay } from 'node:timers/promises'
import { freePort, isPortFree } from '../infrastructure/free-port.ts'

export type Ports = {
  gateway: number
  sandbox: number
  /** The sandbox's chain has a separate port, so that it alone can be made unreachable. */
  chain: number
  /** Likewise its card processors. */
  card: number
  /** Likewise its onramp provider. */
  onramp: number
}

const POLL_MS = 100

const waitUntilFree = async (setting: string, port: number, timeoutMs: number): Promise<void> => {
  const giveUpAt = Date.now() + timeoutMs
  while (!(await isPortFree(port))) {
    if (Date.now() >= giveUpAt) throw new Error(`${setting} ${port} is taken: set ${setting} to a free port`)
    await delay(POLL_MS)
  }
}

/**
 * The ports to listen on; 0 is replaced by a free one.
 *
 * @param timeoutMs how long to wait for processes that are stopping to release their ports
 * @throws Error naming the setting whose port is taken
 */
export const choosePorts = async (wanted: Ports, timeoutMs: number): Promise<Ports> => {
  if (wanted.gateway === wanted.sandbox && wanted.gateway !== 0) {
    throw new Error(
      `GATEWAY_PORT and SANDBOX_PORT are both ${wanted.gateway}: set one of them to another port`,
    )
  }
  if (wanted.gateway !== 0) await waitUntilFree('GATEWAY_PORT', wanted.gateway, timeoutMs)
  if (wanted.sandbox !== 0) await waitUntilFree('SANDBOX_PORT', wanted.sandbox, timeoutMs)
  return {
    gateway: wanted.gateway || (await freePort()),
    sandbox: wanted.sandbox || (await freePort()),
    chain: wanted.chain || (await freePort()),
    card: wanted.card || (await freePort()),
    onramp: wanted.onramp || (await freePort()),
  }
}
