import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { Network } from '../payments/networks.ts'

/** An address of the signer's own, from which it sends payouts. */
export const TreasuryAddress = z.object({
  network: Network,
  address: z.string(),
  receives_sweeps: z.boolean().meta({
    description: 'True: what orders have received is swept to it (`<NETWORK>_SWEEP_ADDRESS=treasury`)',
  }),
})

/** `signer.treasury`: where the signer keeps what it pays out (decisions §50). */
export const treasury = resource('signer.treasury', {
  list: operation({
    operationId: 'listTreasuryAddresses',
    http: get('/treasury-addresses'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the treasury addresses of the signer',
    description:
      'Use it to fund payouts of crypto. A network is listed if the signer can send on it. Without a signer the answer is 503.',
    caller: 'operator',
    reply: z.object({ treasury_addresses: z.array(TreasuryAddress) }),
    refusals: ['temporarily_unavailable'],
  }),
})
