import { ethereumWallet } from '@causeway/rails/tests/signing-wallets'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import { event, key, ok, type Parties } from '../story.ts'

type Added = Readonly<{
  payout_wallet: Readonly<{ payout_wallet_id: string; proof: Readonly<{ message: string }> | null }>
}>

/** A key of the examples, which holds nothing. */
const PRIVATE_KEY = `0x${'11'.repeat(32)}` as const

/** A customer's payouts get destinations, and one is paid. @param path the customer's */
export const keepPayoutWallets = async (
  parties: Parties,
  partner: RawClient,
  path: string,
): Promise<void> => {
  const { staff, unrecordedStaff } = parties
  const add = async (body: object): Promise<Added['payout_wallet']> =>
    (await ok<Added>(partner.post(`${path}/payout-wallets`, body, key()))).payout_wallet
  const bank = await add({ kind: 'iban', iban: 'DE89 3704 0044 0532 0130 00', holder_name: 'Example GmbH' })
  const { address, sign } = ethereumWallet(PRIVATE_KEY)
  const wallet = await add({ kind: 'address', network: 'ETH', asset: 'USDC', address })
  await ok(partner.get(`${path}/payout-wallets`))
  await ok(partner.get(`${path}/payout-wallets/${bank.payout_wallet_id}`))
  const waiting = '/api/operator/payout-wallets'
  await ok(staff.get(`${waiting}?status=waiting`))
  const signature = await sign(wallet.proof?.message ?? '')
  await ok(partner.post(`${path}/payout-wallets/${wallet.payout_wallet_id}/proof`, { signature }, key()))
  await ok(staff.post(`${waiting}/${bank.payout_wallet_id}/confirm`))
  // The dispute of the story has taken the balance below zero.
  const covered = { unit: 'EUR', amount: 40_000, reason: 'Covers the dispute' }
  const partner_customer_id = path.split('/').at(-1) ?? ''
  await ok(unrecordedStaff.post('/api/operator/ledger/adjustments', { partner_customer_id, ...covered }))
  const schedule = { unit: 'EUR', interval: 'weekly', weekday: 'monday', minimum_amount: 1_000 }
  const schedules = [{ ...schedule, payout_wallet_id: bank.payout_wallet_id }]
  await ok(partner.put(`${path}/payout-schedule`, { schedules }))
  await ok(partner.get(`${path}/payout-schedule`))
  const withdrawal = { unit: 'EUR', amount_cents: 300, payout_wallet_id: bank.payout_wallet_id }
  await ok(partner.post(`${path}/withdrawals`, { ...withdrawal, reference: 'November' }, key()))
  await payByFile(parties)
  const { payout_wallet_id: strange } = await add({ kind: 'address', network: 'ETH', asset: 'USDT', address })
  await ok(staff.post(`${waiting}/${strange}/refuse`, { reason: 'The customer does not know this address' }))
  await partner.delete(`${path}/payout-wallets/${strange}`)
  for (const name of ['payout_wallet.added', 'payout_wallet.active', 'payout_wallet.deleted'])
    await event(parties, name)
}

/** The withdrawal leaves by a payment file, which staff upload at the bank. */
const payByFile = async ({ staff }: Parties): Promise<void> => {
  const files = '/api/operator/payment-files'
  const { payment_file: made } = await ok<{ payment_file: { payment_file_id: string } }>(
    staff.post(files, { unit: 'EUR' }, key()),
  )
  await ok(staff.get(files))
  await ok(staff.get(`${files}/${made.payment_file_id}`))
  await ok(staff.post(`${files}/${made.payment_file_id}/uploaded`))
}
