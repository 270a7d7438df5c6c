import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { UnresolvedNameError } from './failure.ts'

/** Every address of a host name, IPv4 first. @throws UnresolvedNameError when it has no address */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const TRY_MS = 2_000
const TRIES = 2
const MAX_ADDRESSES = 8

const isLocalhost = (name: string) => name === 'localhost' || name.endsWith('.localhost')

type ResolverOptions = Readonly<{
  /** `address:port` of the name servers; default: the system's. */
  servers?: readonly string[]
  tryMs?: number
}>

/**
 * Asks the name servers itself instead of `getaddrinfo`, whose four threads a few slow names could fill for
 * every other receiver. `localhost` names are loopback without asking (RFC 6761, 6.3).
 */
export const createResolver = ({ servers, tryMs = TRY_MS }: ResolverOptions = {}): Resolve => {
  const resolver = new Resolver({ timeout: tryMs, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return async (hostname) => {
    if (isIP(hostname) !== 0) return [hostname]
    const name = hostname.replace(/\.$/, '')
    if (isLocalhost(name)) return ['127.0.0.1', '::1']
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0) throw new UnresolvedNameError('The name has no address')
    return addresses.slice(0, MAX_ADDRESSES)
  }
}
