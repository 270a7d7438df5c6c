import { isErased, type Vault } from '@causeway/chassis'
import { z } from 'zod'
import { canonicalEmail, canonicalIp } from './fingerprints.ts'

const Payer = z.object({ ip: z.string().nullable(), email: z.string().nullable() })
/** Who pays, as far as anybody said. Personal data: stored sealed, never logged. */
export type Payer = Readonly<z.infer<typeof Payer>>

const UNKNOWN: Payer = { ip: null, email: null }

/** What stands for a payer that was erased by command: its order learns no payer again. */
export const ERASED_PAYER = ''

/** What the sealed payer of a crypto order is bound to: it cannot be opened at another order. */
export const cryptoPayerContext = (orderId: string): string => `order:${orderId}`

/** As `cryptoPayerContext`, of a card order. */
export const fiatPayerContext = (orderId: string): string => `fiat-order:${orderId}`

/** Null when nothing is known. */
export const sealPayer = (sealer: Pick<Vault, 'seal'>, orderId: string, payer: Payer): string | null =>
  payer.ip === null && payer.email === null
    ? null
    : sealer.seal(JSON.stringify(payer), fiatPayerContext(orderId))

/** Whether a sealed value still tells of somebody: neither erased by command nor by age. */
export const isKnown = (sealed: string | null): sealed is string =>
  sealed !== null && sealed !== ERASED_PAYER && !isErased(sealed)

/** A payer that was erased is as unknown as one that was never told. */
export const openPayer = (vault: Vault, orderId: string, sealed: string | null): Payer =>
  isKnown(sealed)
    ? Payer.parse(JSON.parse(vault.open(sealed, fiatPayerContext(orderId)).toString('utf8')))
    : UNKNOWN

/** What an order knows of its payer and what its processor tells now; of an erased one nothing is learned again. */
export const learnPayer = (
  vault: Vault,
  order: Readonly<{ id: string; payerSealed: string | null }>,
  told: Payer,
): Payer => {
  if (order.payerSealed === ERASED_PAYER) return UNKNOWN
  const known = openPayer(vault, order.id, order.payerSealed)
  return { ip: told.ip ?? known.ip, email: told.email ?? known.email }
}

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
