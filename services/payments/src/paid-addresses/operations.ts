import { firstIdAt, implement, reply, type Implementation, type ServiceContext } from '@causeway/chassis'
import { PAID_ADDRESSES_PAGE, paidAddresses } from '@causeway/contracts'
import { listPaidAddresses } from './store.ts'

/**
 * `payments.paid-addresses` (decisions §20). Ids of orders sort by the time of their creation, which bounds the look; what
 * is old enough is decided by the platform's clock alone, which tests and the sandbox move.
 */
export const paidAddressOperations = ({ db }: Pick<ServiceContext, 'db'>): Implementation[] =>
  implement(paidAddresses, {
    async list({ body }) {
      const settledBefore = new Date(body.created_before)
      const rows = await listPaidAddresses(db, {
        network: body.network,
        asset: body.asset,
        afterId: body.after ?? '',
        beforeId: firstIdAt('cryptoOrder', settledBefore.getTime()),
        settledBefore,
        limit: PAID_ADDRESSES_PAGE,
      })
      return reply({
        key_indexes: rows.filter(({ isPaid }) => isPaid).map(({ derivationIndex }) => derivationIndex),
        next: rows.at(-1)?.id ?? null,
      })
    },
  })
