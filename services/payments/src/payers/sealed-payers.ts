import { isErased, type Vault } from '@causeway/chassis'
import { z } from 'zod'

const Payer = z.object({ ip: z.string().nullable(), email: z.string().nullable() })
/** Who pays, as far as known. Personal data: stored sealed, never logged. */
export type Payer = Readonly<z.infer<typeof Payer>>

const UNKNOWN: Payer = { ip: null, email: null }

/** Stored in place of a payer that was erased by command: its order never stores a payer again. */
export const ERASED_PAYER = ''

/** Binds a sealed payer to its crypto order: it cannot be decrypted as another order's. */
export const cryptoPayerContext = (orderId: string): string => `order:${orderId}`

/** As `cryptoPayerContext`, of a card order. */
export const fiatPayerContext = (orderId: string): string => `fiat-order:${orderId}`

/** The fields of a card order's export. @param plain the decrypted payer */
export const exportedPayer = (plain: string) => {
  const { email, ip } = Payer.parse(JSON.parse(plain))
  return { payer_email: email, payer_ip: ip }
}

/** Null when nothing is known. */
export const sealPayer = (sealer: Pick<Vault, 'seal'>, orderId: string, payer: Payer): string | null =>
  payer.ip === null && payer.email === null
    ? null
    : sealer.seal(JSON.stringify(payer), fiatPayerContext(orderId))

/** Checks whether a sealed value still contains a payer: erased neither by command nor by age. */
export const isKnown = (sealed: string | null): sealed is string =>
  sealed !== null && sealed !== ERASED_PAYER && !isErased(sealed)

/** Checks whether a sealed payer is encrypted under the key of this subject. */
export const isSealedFor = (sealed: string | null, subject: string): boolean =>
  isKnown(sealed) && sealed.split('.')[1] === subject

/** An erased payer reads as one that was never given. */
export const openPayer = (vault: Vault, orderId: string, sealed: string | null): Payer =>
  isKnown(sealed)
    ? Payer.parse(JSON.parse(vault.open(sealed, fiatPayerContext(orderId)).toString('utf8')))
    : UNKNOWN

/** The payer that an order stores, completed by what its processor reports now; an erased one stays erased. */
export const mergePayer = (
  vault: Vault,
  order: Readonly<{ id: string; payerSealed: string | null }>,
  reported: Payer,
): Payer => {
  if (order.payerSealed === ERASED_PAYER) return UNKNOWN
  const known = openPayer(vault, order.id, order.payerSealed)
  return { ip: reported.ip ?? known.ip, email: reported.email ?? known.email }
}
