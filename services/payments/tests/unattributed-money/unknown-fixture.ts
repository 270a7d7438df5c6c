import { newId, queryMany, queryNone } from '@causeway/chassis'
import { unattributedMoney, type Network, type UnattributedMoney } from '@causeway/contracts'
import type { Transfer } from '@causeway/rails/chains'
import { SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { z } from 'zod'
import { catchUp, startBlockFixture } from '../blocks/block-fixture.ts'

export const SENDER = 'r3kmLJN5D28dHuH8vZNUZpMC43pEHpaocV'
export const STAFF = { kind: 'operator' as const, actor: 'staff' }
export const CONSENT = { merchant_consent: 'By mail of 2026-11-24' }

const skip = queryNone({
  name: 'test.skip-address',
  parameters: { network: 'text', address: 'text', number: 'bigint' },
  text: 'INSERT INTO skipped_addresses (watch_address, network, number) VALUES (:address, :network, :number)',
})
const listStrays = queryMany({
  name: 'test.list-strays',
  text: `
    SELECT tx_id, amount, counted_at IS NOT NULL AS is_counted FROM crypto_deposits WHERE order_id IS NULL
    ORDER BY tx_id`,
  row: z.object({ txId: z.string(), amount: z.string(), isCounted: z.boolean() }),
})

/** The payments service with scripted chains, and what staff see and do about money that names no order. */
export const startUnknownFixture = async (change: Parameters<typeof startBlockFixture>[0] = {}) => {
  const blocks = await startBlockFixture(change)
  const { payments } = blocks
  const listed = async (status: 'open' | 'ended' = 'open'): Promise<UnattributedMoney[]> => {
    const answer = await payments.ask(unattributedMoney.list, STAFF, { query: { status, limit: '100' } })
    if (!answer.ok) throw new Error(answer.code)
    return answer.value.unattributed_money
  }
  return {
    ...blocks,
    /** An address of an order that a restore has lost. */
    skip: (network: Network, address: string, number: number) =>
      skip(payments.db, { network, address, number }),
    strays: () => listStrays(payments.db),
    listed,
    /** Lists the amounts of one transaction that wait for staff. */
    async listedOf({ txId }: Pick<Transfer, 'txId'>, status: 'open' | 'ended' = 'open') {
      return (await listed(status)).filter((row) => row.tx_id === txId)
    },
    end: (how: 'apply' | 'keep' | 'handled', id: string, body: unknown) =>
      payments.ask(unattributedMoney[how], STAFF, { params: { unattributedMoneyId: id }, body }),
    /** A transfer to the shared account that names no order. */
    toAccount: (network: 'XRP' | 'SOL', amount: string, change: Partial<Transfer> = {}): Transfer => ({
      asset: network,
      address: SANDBOX_ACCOUNTS[network],
      txId: newId('request'),
      outputIndex: 0,
      amount,
      shared: { address: SANDBOX_ACCOUNTS[network], sender: SENDER },
      ...change,
    }),
    /** Has the transfer mined on a new chain, deep enough to count, and read. */
    async arrive(transfer: Transfer, network: Network) {
      const chain = await blocks.newChain(network)
      const reading = blocks.newReading(chain, 1)
      await catchUp(reading)
      chain.mine([transfer])
      await catchUp(reading)
      const row = (await listed()).find(({ tx_id: txId }) => txId === transfer.txId)
      if (row === undefined) throw new Error(`${transfer.txId} is not listed`)
      return { row, id: row.unattributed_money_id, chain, reading }
    },
  }
}
export type UnknownFixture = Awaited<ReturnType<typeof startUnknownFixture>>
