import type { PersonalRecord } from '@causeway/contracts'
import { html, linkButton, notice, pagination, table, time, type Html } from '../../../design/index.ts'
import { consolePage, type StaffSession } from '../../frame.ts'
import { customerPath } from '../paths.ts'
import { wordsOf } from '../words.ts'

type Export = Readonly<{
  session: StaffSession
  partnerCustomerId: string
  records: readonly PersonalRecord[]
  pages: Readonly<{ first: string | null; next: string | null }>
}>

/** What is stored about a customer, record by record. */
export const personalDataPage = ({ session, partnerCustomerId, records, pages }: Export): Html =>
  consolePage({
    session,
    current: '/console',
    title: 'Personal data',
    main: html`<h1>Personal data of <code>${partnerCustomerId}</code></h1>
      ${table({
        caption: 'What is stored',
        columns: [
          { heading: 'Kind', cell: (row) => wordsOf(row.kind) },
          { heading: 'Id', cell: (row) => html`<code>${row.id}</code>` },
          {
            heading: 'Data',
            cell: (row) => html`<pre class="code"><code>${JSON.stringify(row.data, null, 2)}</code></pre>`,
          },
        ],
        rows: records,
        empty: 'Nothing is stored.',
      })}
      ${pagination(pages)}
      <p>${linkButton(customerPath(partnerCustomerId), 'Back to the customer', 'quiet')}</p>`,
  })

type Erasure = Readonly<{
  session: StaffSession
  back: string
  erased: readonly Readonly<{ what: string; count?: number }>[]
  remaining: readonly Readonly<{ what: string; why: string; until: string | null }>[]
}>

/** The report of an erasure: what is gone, and what stays, why and until when. */
export const erasurePage = ({ session, back, erased, remaining }: Erasure): Html =>
  consolePage({
    session,
    current: '/console',
    title: 'Erased',
    main: html`<h1>What was erased</h1>
      ${notice('good', 'The erasure was carried out.')}
      <ul>
        ${erased.map(({ what, count }) => html`<li>${wordsOf(what)}${count !== undefined && `: ${count}`}</li>`)}
      </ul>
      ${erased.length === 0 && html`<p>There was nothing to erase.</p>`}
      ${table({
        caption: 'What remains',
        columns: [
          { heading: 'What', cell: (row) => wordsOf(row.what) },
          { heading: 'Why', cell: (row) => row.why },
          { heading: 'Until', cell: (row) => (row.until === null ? 'Not known' : time(row.until)) },
        ],
        rows: remaining,
        empty: 'Nothing remains.',
      })}
      <p>${linkButton(back, 'Back', 'quiet')}</p>`,
  })
