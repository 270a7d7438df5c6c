import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Network } from './networks.ts'

const MAX_ADDRESS_LENGTH = 128

/** `payments.recipients`: addresses outside of the platform that money may be sent to. */
export const recipients = resource('payments.recipients', {
  check: operation({
    summary: 'Check that an address is one of its network, and not the platform’s own',
    caller: 'service',
    services: ['ledger'],
    body: z.strictObject({ network: Network, address: z.string().max(MAX_ADDRESS_LENGTH) }),
    /** One spelling for all that name the same account. On XRP the address as it was given: it may have a tag. */
    reply: z.object({ address: z.string() }),
    refusals: ['invalid_request'],
  }),
})
