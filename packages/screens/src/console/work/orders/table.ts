import type { FoundOrder } from '@causeway/contracts'
import { fiat, fiatOfMinorUnits, table, time, type Html } from '../../../design/index.ts'
import { namedLink, type Names } from '../../names.ts'
import { cardOrderPath, cryptoOrderPath } from '../paths.ts'
import { idLink, orderTag, wordsOf } from '../words.ts'

const amountOf = ({ kind, amount, currency }: FoundOrder): string =>
  kind === 'card' ? fiatOfMinorUnits(Number(amount), currency) : fiat(amount, currency)

/** Lists crypto and card orders with links. @param empty text if there are none @param names left out: not of whom they are */
export const orderTable = (rows: readonly FoundOrder[], empty: string, names?: Names): Html =>
  table({
    caption: 'Orders',
    columns: [
      {
        heading: 'Order',
        cell: (row) =>
          row.order_key === null
            ? idLink(cryptoOrderPath(row.order_id), row.order_id)
            : idLink(cardOrderPath(row.order_key), row.order_key),
      },
      { heading: 'Kind', cell: (row) => wordsOf(row.kind) },
      { heading: 'Status', cell: (row) => orderTag(row.status) },
      { heading: 'Amount', cell: amountOf, isNumber: true },
      ...(names === undefined
        ? []
        : [{ heading: 'Customer', cell: (row: FoundOrder) => namedLink(row.partner_customer_id, names) }]),
      { heading: 'Reference', cell: (row) => row.reference ?? '' },
      { heading: 'Created', cell: (row) => time(row.created_at) },
    ],
    rows,
    empty,
  })
