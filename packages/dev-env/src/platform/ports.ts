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
  /** The sandbox's mail server. */
  mail: number
}

const SETTING_OF: Readonly<Record<keyof Ports, string>> = {
  gateway: 'GATEWAY_PORT',
  sandbox: 'SANDBOX_PORT',
  chain: 'SANDBOX_CHAIN_PORT',
  card: 'SANDBOX_CARD_PORT',
  onramp: 'SANDBOX_ONRAMP_PORT',
  mail: 'SANDBOX_MAIL_PORT',
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
 * @throws Error naming the setting whose port is taken, or the two settings that name the same one
 */
export const choosePorts = async (wanted: Ports, timeoutMs: number): Promise<Ports> => {
  const fixed = Object.entries(SETTING_OF)
    .map(([name, setting]) => ({ setting, port: wanted[name as keyof Ports] }))
    .filter(({ port }) => port !== 0)
  for (const [index, { setting, port }] of fixed.entries()) {
    const same = fixed.slice(0, index).find((other) => other.port === port)
    if (same !== undefined)
      throw new Error(`${same.setting} and ${setting} are both ${port}: set one of them to another port`)
  }
  for (const { setting, port } of fixed) await waitUntilFree(setting, port, timeoutMs)
  return {
    gateway: wanted.gateway || (await freePort()),
    sandbox: wanted.sandbox || (await freePort()),
    chain: wanted.chain || (await freePort()),
    card: wanted.card || (await freePort()),
    onramp: wanted.onramp || (await freePort()),
    mail: wanted.mail || (await freePort()),
  }
}
