import { implement, reply, type Transaction } from '@causeway/chassis'
import { disabledPartners } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import {
  confirmDisabledPartners,
  nextDestinationRevision,
  replaceDisabledPartners,
  reviseDestinations,
} from './store.ts'

/**
 * After so long without a confirmation an older revision is accepted too: the gateway confirms the set every 30 s, so
 * that its revision has gone back, as a restore of its database does. A request is never under way for so long.
 */
const CONFIRMED_FOR_MS = 60_000

type DisabledPartners = Readonly<{ revision: number; partnerIds: readonly string[]; now: Date }>

/** @returns whether the set is accepted, and whether it differs from the one before */
const replaceSet = async (tx: Transaction, { revision, partnerIds, now }: DisabledPartners) => {
  const lapsedBefore = new Date(now.getTime() - CONFIRMED_FOR_MS)
  const confirmed = await confirmDisabledPartners(tx, { revision, now, lapsedBefore })
  if (confirmed === null) return { accepted: false, isChanged: false }
  const changed = await replaceDisabledPartners(tx, { partnerIds })
  if (changed.length === 0) return { accepted: true, isChanged: false }
  const next = await nextDestinationRevision(tx)
  if (next === null) throw new Error('The table destination_revision has no row')
  await reviseDestinations(tx, { partnerIds: changed.map((row) => row.partnerId), revision: next.revision })
  return { accepted: true, isChanged: true }
}

/** `webhooks.disabled-partners` (decisions §46). */
export const disabledPartnerOperations = ({ db, engine }: Pick<Dependencies, 'db' | 'engine'>) =>
  implement(disabledPartners, {
    async update({ body: { revision, partner_ids: partnerIds }, now }) {
      const { accepted, isChanged } = await db.transaction((tx) =>
        replaceSet(tx, { revision, partnerIds, now }),
      )
      if (isChanged) await engine.destinationsChanged()
      return reply({ accepted })
    },
  })
