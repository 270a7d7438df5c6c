import {
  ledgerBooks,
  NETWORK_ASSETS,
  treasury,
  type TreasuryAddress,
  type UnitTrialBalance,
} from '@causeway/contracts'
import type { z } from 'zod'
import {
  amountInUnit,
  copyable,
  definitionList,
  emptyState,
  html,
  notice,
  type Html,
} from '../../design/index.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { consolePage, type StaffRequest, type StaffSession } from '../frame.ts'
import { PAYOUTS_PATH } from '../work/paths.ts'
import { BOOKS_PATH } from './words.ts'

type Address = z.output<typeof TreasuryAddress>
type Balances = readonly z.output<typeof UnitTrialBalance>[]

/** The books have one treasury account for a network: where sweeps go elsewhere, it is not this address’s. */
const balanceOf = (address: Address, unit: string, balances: Balances): string => {
  if (!address.receives_sweeps) return 'Not kept apart from the address that sweeps go to'
  const name = `chain:${address.network}:treasury`
  const accounts = balances.find((each) => each.unit === unit)?.accounts ?? []
  return amountInUnit(accounts.find(({ account }) => account === name)?.balance ?? '0', unit)
}

/** One section for each network: its assets share the address. */
const addressSection = (address: Address, balances: Balances): Html => {
  const { network, receives_sweeps: isSwept } = address
  return html`<section class="sheet" aria-labelledby="${network}">
    <h2 id="${network}">${network}</h2>
    ${definitionList([
      { term: 'Address', value: copyable(address.address, `Copy the address on ${network}`) },
      { term: 'Filled by', value: isSwept ? 'Sweeps of paid orders' : 'Your transfers only' },
      ...NETWORK_ASSETS[network].map((asset) => ({
        term: `${asset} in the books`,
        value: balanceOf(address, `${network}/${asset}`, balances),
      })),
    ])}
  </section>`
}

const page = (session: StaffSession, content: Html): Answer =>
  pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: 'Treasury',
      main: html`<h1>Treasury</h1>
        ${content}`,
    }),
  )

const NO_SIGNER = notice(
  'neutral',
  'The signer does not answer.',
  'Where no signer runs, send payouts from your wallet and mark them as sent. Otherwise load the page again in a moment.',
)

/** Shows the addresses from which the signer sends payouts, with their balances in the books (decisions §50). */
export const showTreasury = async ({ ask, session }: StaffRequest): Promise<Answer> => {
  const listed = await ask(treasury.list, {})
  if (!listed.ok)
    return listed.code === 'temporarily_unavailable'
      ? page(session, NO_SIGNER)
      : { kind: 'error', code: listed.code }
  const balance = await ask(ledgerBooks.getTrialBalance, { query: {} })
  if (!balance.ok) return { kind: 'error', code: balance.code }
  const { treasury_addresses: addresses } = listed.value
  return page(
    session,
    html`<p>
        The signer sends <a href="${PAYOUTS_PATH}">payouts of crypto</a> from these addresses. Fund a payout
        that waits by a transfer to the address of its network; compare the whole address first. The books
        have what was swept, less payouts, but not what you transfer: look up the balance on the chain.
      </p>
      ${
        addresses.length === 0
          ? emptyState('The signer can send on no network.')
          : addresses.map((address) => addressSection(address, balance.value.units))
      }`,
  )
}
