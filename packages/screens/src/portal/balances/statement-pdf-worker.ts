import { parentPort, workerData } from 'node:worker_threads'
import { formatMinorUnits } from '@causeway/contracts'
import pdfmake, { type Content, type Definition } from 'pdfmake'
import { cryptoAmount } from '../../design/facts.ts'
import type { PrintedStatement } from './statement-pdf.ts'

// Standard fonts of PDF: nothing is loaded. They lack most currency symbols, so amounts end with the currency's code.
const FONTS = { normal: 'Helvetica', bold: 'Helvetica-Bold' }
pdfmake.setFonts({ Helvetica: FONTS })
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((name) => Object.values(FONTS).includes(name))

const amountOf = (amount: number | string, unit: string): string => {
  if (typeof amount === 'number') return `${formatMinorUnits(amount, unit)} ${unit}`
  const [network = unit, asset = network] = unit.split('/')
  return cryptoAmount(amount, asset, network)
}

const right = (text: string) => ({ text, alignment: 'right' as const })

const unitContent = ({ unit, opening, closing, entries }: PrintedStatement['units'][number]): Content[] => [
  { text: unit, style: 'unit' },
  {
    text: `At the beginning: ${amountOf(opening, unit)}. At the end: ${amountOf(closing, unit)}.`,
    margin: [0, 0, 0, 6],
  },
  {
    layout: 'lightHorizontalLines',
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: ['auto', 'auto', 'auto', 'auto', 'auto', '*'],
      body: [
        ['Recorded (UTC)', 'Kind', right('Amount'), 'Balance', right('Balance after'), 'Order'].map(
          (heading) =>
            typeof heading === 'string' ? { text: heading, bold: true } : { ...heading, bold: true },
        ),
        ...entries.map((entry) => [
          entry.recordedAt.slice(0, 16).replace('T', ' '),
          entry.kind.replaceAll('_', ' '),
          right(amountOf(entry.amount, unit)),
          entry.balance.replaceAll('_', ' '),
          right(amountOf(entry.balanceAfter, unit)),
          entry.orderKey ?? entry.orderId ?? '',
        ]),
      ],
    },
  },
]

/** Characters of the standard fonts (Latin-1): a name with others would be unreadable. */
const PRINTABLE = /^[\u0020-\u007e\u00a0-\u00ff]+$/

/** Renders the logo, and without one the name. */
const brandContent = ({ name, logoBase64 }: PrintedStatement['brand']): Content[] => {
  if (logoBase64 !== null)
    return [{ image: `data:image/png;base64,${logoBase64}`, fit: [150, 45], margin: [0, 0, 0, 12] }]
  return name !== null && PRINTABLE.test(name) ? [{ text: name, bold: true, margin: [0, 0, 0, 12] }] : []
}

const documentOf = ({ month, merchantId, brand, units }: PrintedStatement): Definition => ({
  info: { title: `Statement ${month}` },
  pageSize: 'A4',
  pageMargins: [36, 36, 36, 48],
  defaultStyle: { font: 'Helvetica', fontSize: 8 },
  styles: { title: { fontSize: 16, bold: true }, unit: { fontSize: 11, bold: true, margin: [0, 12, 0, 3] } },
  content: [
    ...brandContent(brand),
    { text: `Statement ${month}`, style: 'title' },
    { text: `Merchant ${merchantId}. Months are in UTC.`, margin: [0, 3, 0, 0] },
    ...(units.length === 0 ? [{ text: 'No balances and no entries in this month.', margin: 12 }] : []),
    ...units.flatMap(unitContent),
  ],
  footer: (page, pages) => ({
    text: `${merchantId}, ${month}, page ${page} of ${pages}`,
    alignment: 'center',
    margin: [0, 16, 0, 0],
  }),
})

parentPort?.postMessage(await pdfmake.createPdf(documentOf(workerData as PrintedStatement)).getBuffer())
