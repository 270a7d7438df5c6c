import { sealerOf, type Queryable, type Vault } from '@causeway/chassis'
import { z } from 'zod'

const Account = z.object({ iban: z.string(), holder_name: z.string(), bic: z.string().nullable() })
/** A bank account, as it is sealed. */
export type Account = Readonly<z.infer<typeof Account>>

/** The context to which a wallet's sealed account is bound. */
export const accountContext = (payoutWalletId: string): string => `payout-wallet:${payoutWalletId}`

/** Reads the plain text of a sealed account. */
export const readAccount = (plain: string): Account => Account.parse(JSON.parse(plain))

/** Seals an account under a key of its wallet, which is destroyed when the account is erased. */
export const sealAccount = async (
  tx: Queryable,
  vault: Vault,
  {
    payoutWalletId: subject,
    account,
    now,
  }: Readonly<{ payoutWalletId: string; account: Account; now: Date }>,
): Promise<string> => {
  const sealer = await sealerOf(tx, vault, { subject, now })
  return sealer.seal(JSON.stringify(account), accountContext(subject))
}
