import type { Socket } from 'node:net'
import { isAllowedAddress } from './address.ts'
import { ForbiddenAddressError, UnresolvedNameError } from './failure.ts'
import type { Target } from './target.ts'
import type { Dial } from './dial.ts'
import type { Resolve } from './resolver.ts'

/** How connections are made; tests hand in their own resolver and dialler. */
export type Network = Readonly<{ resolve: Resolve; dial: Dial; allowInsecure: boolean }>

/** Opens a guarded connection to a destination. */
export type Connect = (target: Target, signal: AbortSignal) => Promise<Socket>

/** After 2.5 s without a connection the next address is tried, within the same attempt. */
const SILENT_ADDRESS_MS = 2_500

/**
 * The connect guard (decisions §12): resolves the host, checks every address of the answer, and dials the very
 * addresses that were checked, so that a name which changes between two look-ups gains nothing. An IP literal
 * goes the same way. One forbidden address refuses them all: an answer that mixes public and private addresses is
 * treated as DNS rebinding.
 */
export const createConnect =
  (network: Network): Connect =>
  async (target, signal) => {
    if (target.protocol === 'http:' && !network.allowInsecure)
      throw new ForbiddenAddressError('Only the sandbox sends over plain http')
    const addresses = await network.resolve(target.hostname)
    signal.throwIfAborted()
    if (!addresses.every((address) => isAllowedAddress(address, network.allowInsecure)))
      throw new ForbiddenAddressError('The host resolves to an address that no delivery may reach')
    const { port, hostname } = target
    let failure: unknown = new UnresolvedNameError('The name has no address')
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1
      // oxlint-disable-next-line no-restricted-properties -- the signal lives no longer than the dialling
      const bound = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(SILENT_ADDRESS_MS)])
      try {
        return await network.dial({ address, port, hostname, tls: target.protocol === 'https:' }, bound)
      } catch (error) {
        signal.throwIfAborted()
        failure = error
      }
    }
    throw failure
  }
