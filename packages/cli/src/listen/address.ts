import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/**
 * Where a listener is registered. The path says whose it is, so that a later run finds what a crashed one has left
 * behind: the machine, the port there, and a token that only the running listener answers to. A borrowed API key is
 * named by its id, which is no secret.
 */
export type ListenerAddress = Readonly<{ port: number; token: string; keyId: string | null }>

const machine = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 12)
const PATH = /\/causeway-listen\/(\w+)\/(\d+)\/([\w-]+)(?:\/(\w+))?$/

export const newAddress = (port: number, keyId: string | null): ListenerAddress => ({
  port,
  token: randomUUID(),
  keyId,
})

export const pathOf = ({ port, token, keyId }: ListenerAddress): string =>
  `/causeway-listen/${machine()}/${port}/${token}${keyId === null ? '' : `/${keyId}`}`

/** The address of a listener of this machine; null where the URL is of another one, or of any other receiver. */
export const parseAddress = (url: string): ListenerAddress | null => {
  const [, of, port, token = '', keyId = null] = PATH.exec(url) ?? []
  return of === machine() ? { port: Number(port), token, keyId } : null
}
