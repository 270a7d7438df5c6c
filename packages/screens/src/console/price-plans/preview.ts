import type { PricePreview } from '@causeway/contracts'
import { amountInUnit, html, table, time, type Html } from '../../design/index.ts'

type ServiceFees = PricePreview['service_fees'][number]
type CryptoFees = PricePreview['crypto_fees'][number]

const PAYERS = [
  { payer: 'merchant', cents: 'merchant_cents', paid: 'Merchant paid', wouldPay: 'Merchant would pay' },
  { payer: 'customer', cents: 'customer_cents', paid: 'Buyers paid', wouldPay: 'Buyers would pay' },
] as const
const KINDS = { order: 'Order', payment_link: 'Payment link' } as const

/** Renders the fees of the past as they were charged, and as the previewed terms would have charged them. */
export const previewTables = ({
  since,
  until,
  service_fees: serviceFees,
  crypto_fees: cryptoFees,
  dispute_fees: disputeFees,
}: PricePreview): Html =>
  html`<section>
    <p>
      What card orders paid from ${time(since)} to ${time(until)}, and paid crypto orders created in that
      time, have cost, and would have cost under these terms, before refunds. Nothing was saved.
    </p>
    ${table({
      caption: 'Service fees of card orders',
      columns: [
        { heading: 'Kind', cell: ({ kind }) => KINDS[kind] },
        { heading: 'Orders', cell: ({ orders }) => String(orders), isNumber: true },
        ...PAYERS.flatMap(({ cents, paid, wouldPay }) => [
          {
            heading: paid,
            cell: ({ charged, currency }: ServiceFees) => amountInUnit(charged[cents], currency),
            isNumber: true,
          },
          {
            heading: wouldPay,
            cell: ({ preview, currency }: ServiceFees) => amountInUnit(preview[cents], currency),
            isNumber: true,
          },
        ]),
        { heading: 'Orders refused', cell: (row) => String(row.refused_orders), isNumber: true },
      ],
      rows: serviceFees,
      empty: 'No card order was paid in this time.',
    })}
    ${table({
      caption: 'Service fees of crypto orders',
      columns: [
        { heading: 'Orders', cell: ({ orders }) => String(orders), isNumber: true },
        ...PAYERS.flatMap(({ payer, paid, wouldPay }) => [
          {
            heading: paid,
            cell: ({ charged, unit }: CryptoFees) => amountInUnit(charged[payer], unit),
            isNumber: true,
          },
          {
            heading: wouldPay,
            cell: ({ preview, unit }: CryptoFees) => amountInUnit(preview[payer], unit),
            isNumber: true,
          },
        ]),
        { heading: 'Orders refused', cell: (row) => String(row.refused_orders), isNumber: true },
      ],
      rows: cryptoFees,
      empty: 'No crypto order of this time is paid.',
    })}
    ${table({
      caption: 'Dispute fees',
      columns: [
        { heading: 'Charged', cell: (row) => amountInUnit(row.charged_cents, row.currency), isNumber: true },
        {
          heading: 'Would be charged',
          cell: (row) => amountInUnit(row.preview_cents, row.currency),
          isNumber: true,
        },
      ],
      rows: disputeFees,
      empty: 'No dispute was recorded in this time.',
    })}
  </section>`
