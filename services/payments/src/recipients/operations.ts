import { implement, refuse, reply, type Implementation, type ServiceContext } from '@causeway/chassis'
import { recipients } from '@causeway/contracts'
import { canonicalAddress } from '@causeway/rails/networks'
import { refuseRecipient, type OwnAddresses } from '../crypto-refunds/recipients.ts'

/** `payments.recipients` (decisions §50). Payments knows the chains and the platform's own addresses. */
export const recipientOperations = (
  { db }: Pick<ServiceContext, 'db'>,
  own: OwnAddresses,
): Implementation[] =>
  implement(recipients, {
    async check({ body: { network, address } }) {
      if (own.accounts[network] === undefined)
        return refuse('invalid_request', [
          { field: 'network', reason: 'invalid_value', allowed: Object.keys(own.accounts) },
        ])
      const refusal = await refuseRecipient(db.pooled, own, network, address, 'address')
      return refusal ?? reply({ address: network === 'XRP' ? address : canonicalAddress(network, address) })
    },
  })
