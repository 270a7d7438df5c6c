import { newId, refuse, sealerOf, type Transaction, type Vault } from '@causeway/chassis'
import { MAX_FILE_PAYOUTS } from '@causeway/contracts'
import { createHash } from 'node:crypto'
import { accountContext, readAccount } from '../payout-wallets/account.ts'
import { contentContext, MAX_PAYMENT_CENTS, writeFileOf, type Debtor, type Payment } from './file.ts'
import * as store from './store.ts'

type Locked = Awaited<ReturnType<typeof store.lockPayable>>

/** Opens the accounts of payouts, with the amounts that the books have. */
const paymentsOf = (
  vault: Vault,
  rows: Locked,
  booked: Awaited<ReturnType<typeof store.putIntoFile>>,
): Payment[] => {
  const amounts = new Map(booked.map(({ payoutId, amount }) => [payoutId, BigInt(amount)]))
  return rows.map(({ payoutId, amountCents, reference, payoutWalletId, accountSealed }) => {
    if (amounts.get(payoutId) !== BigInt(amountCents))
      throw new Error(`${payoutId} has another amount in the books`)
    const account = readAccount(vault.open(accountSealed, accountContext(payoutWalletId)).toString())
    return { payoutId, amountCents: BigInt(amountCents), account, reference }
  })
}

type Making = Readonly<{ vault: Vault; debtor: Debtor; unit: string; now: Date }>

/**
 * Makes a file of the payouts that wait for one, each in one file only: their rows are locked, and the books refuse a
 * second file.
 * @returns the file; a refusal where no payout waits
 */
export const makeFile = async (tx: Transaction, { vault, debtor, unit, now }: Making) => {
  const most = MAX_PAYMENT_CENTS
  const rows = await store.lockPayable(tx, { unit, most, limit: MAX_FILE_PAYOUTS })
  if (rows.length === 0) return refuse('invalid_state', [{ payouts: 0 }])
  const paymentFileId = newId('paymentFile')
  const payoutIds = rows.map(({ payoutId }) => payoutId)
  const booked = await store.putIntoFile(tx, { paymentFileId, unit, payoutIds })
  const content = writeFileOf(paymentFileId, { debtor, payments: paymentsOf(vault, rows, booked), now })
  const sealer = await sealerOf(tx, vault, { subject: paymentFileId, now })
  await store.insert(tx, {
    ...{ paymentFileId, unit, now },
    totalCents: rows.reduce((sum, { amountCents }) => sum + amountCents, 0),
    sha256: createHash('sha256').update(content).digest('hex'),
    contentSealed: sealer.seal(content, contentContext(paymentFileId)),
  })
  await store.setFile(tx, { paymentFileId, payoutIds })
  const row = await store.get(tx, { paymentFileId })
  if (row === null) throw new Error(`${paymentFileId} was not stored`)
  return row
}
