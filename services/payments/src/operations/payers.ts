import { isErased, type Queryable, type Vault } from '@causeway/chassis'
import { z } from 'zod'
import { canonicalEmail, canonicalIp } from '../domain/payer-marks.ts'
import * as cases from '../store/chargeback-cases.ts'

const Payer = z.object({ ip: z.string().nullable(), email: z.string().nullable() })
/** Who pays, as far as anybody said. Personal data: stored sealed, never logged. */
export type Payer = Readonly<z.infer<typeof Payer>>

/** What a sealed payer is bound to: it cannot be moved to another order. */
export const fiatPayerContext = (orderId: string): string => `fiat-order:${orderId}`

/** Null when nothing is known. */
export const sealPayer = (sealer: Pick<Vault, 'seal'>, orderId: string, payer: Payer): string | null =>
  payer.ip === null && payer.email === null
    ? null
    : sealer.seal(JSON.stringify(payer), fiatPayerContext(orderId))

/** A payer that was erased is as unknown as one that was never told. */
export const openPayer = (vault: Vault, orderId: string, sealed: string | null): Payer =>
  sealed === null || isErased(sealed)
    ? { ip: null, email: null }
    : Payer.parse(JSON.parse(vault.open(sealed, fiatPayerContext(orderId)).toString('utf8')))

/** Keyed hashes by which a payer is recognised without being stored; null for what is unknown. */
export const marksOf = (
  vault: Vault,
  payer: Payer,
): Readonly<{ ip: Buffer | null; email: Buffer | null }> => {
  const ip = payer.ip === null ? null : canonicalIp(payer.ip)
  return {
    ip: ip === null ? null : vault.mac('payer-ip', ip),
    email: payer.email === null ? null : vault.mac('payer-email', canonicalEmail(payer.email)),
  }
}

/** Whether a case of this customer blocks the payer (decisions §10). */
export const isBlocked = async (
  ground: { db: Queryable; vault: Vault },
  customer: Readonly<{ partnerId: string; partnerCustomerId: string }>,
  payer: Payer,
): Promise<boolean> => {
  const { ip, email } = marksOf(ground.vault, payer)
  if (ip === null && email === null) return false
  const values = [customer.partnerId, customer.partnerCustomerId, ip, email]
  const [found] = await ground.db.query(cases.isBlocked, values)
  return found?.blocked ?? false
}
