import { sealerOf, type ServiceContext, type Vault } from '@causeway/chassis'
import { payerMonth } from './key-month.ts'

/** Gives what seals payers at a time. */
export type PayerSealer = (now: Date) => Promise<Pick<Vault, 'seal'>>

/** Payers of one month share a key; it is read once, so that the creation of an order costs no statement more. */
export const createPayerSealer = ({ db, vault }: Pick<ServiceContext, 'db' | 'vault'>): PayerSealer => {
  let current: Readonly<{ subject: string; sealer: ReturnType<typeof sealerOf> }> | null = null
  return (now) => {
    const subject = payerMonth(now)
    if (current?.subject === subject) return current.sealer
    // On a connection of its own: a key that a transaction took back must not have sealed anything.
    const sealer = sealerOf(db, vault, { subject, now })
    current = { subject, sealer }
    sealer.catch(() => {
      current = null
    })
    return sealer
  }
}
