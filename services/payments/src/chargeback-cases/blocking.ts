import type { Queryable, Vault } from '@causeway/chassis'
import { fingerprintsOf } from '../payers/fingerprints.ts'
import type { Payer } from '../payers/sealed-payers.ts'
import { getBlocked } from './store.ts'

/** Checks whether an active case of this customer blocks the payer (decisions §10). */
export const isBlocked = async (
  { db, vault }: Readonly<{ db: Queryable; vault: Vault }>,
  { partnerId, partnerCustomerId }: Readonly<{ partnerId: string; partnerCustomerId: string }>,
  payer: Payer,
): Promise<boolean> => {
  const { ip, email } = fingerprintsOf(vault, payer)
  if (ip === null && email === null) return false
  const found = await getBlocked(db, { partnerId, partnerCustomerId, ipMac: ip, emailMac: email })
  return found?.blocked ?? false
}
