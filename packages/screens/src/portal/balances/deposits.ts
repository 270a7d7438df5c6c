import { orderDeposits, type DepositPlace, type OrderDeposit } from '@causeway/contracts'
import type { z } from 'zod'
import { cryptoAmount, html, table, time, type Html } from '../../design/index.ts'
import type { PortalRequest } from '../frame.ts'

type Place = z.infer<typeof DepositPlace>

const WORDS: Readonly<Record<Place, string>> = {
  address: 'Not swept yet',
  moving: 'Sent, not confirmed yet',
  swept: 'Swept',
  sent_back: 'Used by a refund',
  account: 'No sweep needed: it arrived at the platform’s own account',
  unknown: 'Not known',
}

/** Renders a long text, which wraps so that the columns after it stay in view. */
const hash = (text: string): Html => html`<code class="hash">${text}</code>`

const blockOf = ({ blockNumber, blockHash, reverted }: OrderDeposit): Html | string => {
  if (blockNumber === null) return reverted ? 'Taken back by the chain' : 'Not yet'
  return html`${blockNumber} ${blockHash !== null && hash(blockHash)}`
}

const depthOf = ({ final, confirmations }: OrderDeposit): string => (final ? 'Final' : String(confirmations))

const sweepOf = ({ place, transfer }: OrderDeposit): Html | string => {
  if (place === null) return ''
  if (transfer === null) return WORDS[place]
  const { kind, txId, startedAt, confirmedAt, attribution } = transfer
  const isFirstAfter = kind === 'sweep' && attribution === 'address'
  return html`${WORDS[place]}${kind === 'refund' && place === 'moving' && ' (a refund)'},
  ${time(confirmedAt ?? startedAt)}:
  ${hash(txId)}${isFirstAfter && ' (the sweep that emptied the address after the deposit)'}`
}

const depositTable = (rows: readonly OrderDeposit[]): Html =>
  table({
    caption: 'On the chain, in the order in which deposits were seen',
    columns: [
      { heading: 'Deposit', cell: ({ txId }) => hash(txId) },
      {
        heading: 'Amount',
        cell: ({ amount, asset, network }) => cryptoAmount(amount, asset, network),
        isNumber: true,
      },
      { heading: 'Address', cell: ({ address }) => hash(address) },
      { heading: 'Seen', cell: ({ seenAt }) => time(seenAt) },
      { heading: 'Block', cell: blockOf },
      { heading: 'Confirmations', cell: depthOf, isNumber: true },
      { heading: 'Sweep', cell: sweepOf },
    ],
    rows,
    empty: 'No deposits yet.',
  })

/** Shows the path of a crypto order's deposits: their blocks, and what moved them from their address. Null: it has none. */
export const depositsOf = async ({ ask }: PortalRequest, orderId: string): Promise<Html | null> => {
  if (orderId === '') return null
  const reply = await ask(orderDeposits.listByMerchant, { params: { orderId } })
  return reply.ok && reply.value.deposits.length > 0 ? depositTable(reply.value.deposits) : null
}
