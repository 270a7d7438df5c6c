import type { Vault } from '@causeway/chassis'
import type { RefundRecord } from './refund.ts'

/** Returns the context of a sealed description: it cannot be moved to another refund. */
export const descriptionContext = (refundId: string): string => `refund-description:${refundId}`

/** A description may name people: it is stored sealed and never logged. */
export const sealDescription = (vault: Vault, refundId: string, text: string | null): string | null =>
  text === null ? null : vault.seal(text, descriptionContext(refundId))

/** The description of a refund; the plain column was written before descriptions were sealed. */
export const openDescription = (
  vault: Vault,
  { id, description, descriptionSealed }: Pick<RefundRecord, 'id' | 'description' | 'descriptionSealed'>,
): string | null =>
  descriptionSealed === null
    ? description
    : vault.open(descriptionSealed, descriptionContext(id)).toString('utf8')
