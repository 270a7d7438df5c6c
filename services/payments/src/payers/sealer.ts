import { sealerOf, type ServiceContext, type Vault } from '@causeway/chassis'
import { payerMonth } from './key-month.ts'

/** Returns the cipher for payers that become known now. */
export type PayerSealer = (now: Date) => Promise<Pick<Vault, 'seal'>>

/** Payers of one month share a key; it is read once, so that creating an order costs no statement for it. */
export const createPayerSealer = ({ db, vault }: Pick<ServiceContext, 'db' | 'vault'>): PayerSealer => {
  let current: Readonly<{ subject: string; sealer: ReturnType<typeof sealerOf> }> | null = null
  return (now) => {
    const subject = payerMonth(now)
    if (current?.subject === subject) return current.sealer
    // In a separate statement: a key that a rollback removes must not have encrypted anything.
    const sealer = sealerOf(db, vault, { subject, now })
    current = { subject, sealer }
    sealer.catch(() => {
      current = null
    })
    return sealer
  }
}
