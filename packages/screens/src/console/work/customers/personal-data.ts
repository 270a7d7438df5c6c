import type { PersonalRecord } from '@causeway/contracts'
import { html, linkButton, notice, pagination, table, time, type Html } from '../../../design/index.ts'
import { consolePage, type StaffSession } from '../../frame.ts'
import { customerPath, CUSTOMERS_PATH } from '../paths.ts'
import { wordsOf } from '../words.ts'

type Export = Readonly<{
  session: StaffSession
  partnerCustomerId: string
  records: readonly PersonalRecord[]
  pages: Readonly<{ first: string | null; next: string | null }>
}>

/** Renders the stored records about a customer. */
export const personalDataPage = ({ session, partnerCustomerId, records, pages }: Export): Html =>
  consolePage({
    session,
    current: CUSTOMERS_PATH,
    title: 'Personal data',
    main: html`<h1>Personal data of <code>${partnerCustomerId}</code></h1>
      ${table({
        caption: 'Stored data',
        columns: [
          { heading: 'Kind', cell: (row) => wordsOf(row.kind) },
          { heading: 'Id', cell: (row) => html`<code>${row.id}</code>` },
          {
            heading: 'Data',
            cell: (row) => html`<pre class="code"><code>${JSON.stringify(row.data, null, 2)}</code></pre>`,
          },
        ],
        rows: records,
        empty: 'No data is stored.',
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

/** Renders the report of an erasure: the deleted data, and the kept data with reason and date. */
export const erasurePage = ({ session, back, erased, remaining }: Erasure): Html =>
  consolePage({
    session,
    current: CUSTOMERS_PATH,
    title: 'Data deleted',
    main: html`<h1>Data deleted</h1>
      ${notice('good', 'The personal data was deleted.')}
      <ul>
        ${erased.map(({ what, count }) => html`<li>${wordsOf(what)}${count !== undefined && `: ${count}`}</li>`)}
      </ul>
      ${erased.length === 0 && html`<p>There was no data to delete.</p>`}
      ${table({
        caption: 'Kept data',
        columns: [
          { heading: 'Data', cell: (row) => wordsOf(row.what) },
          { heading: 'Reason', cell: (row) => row.why },
          { heading: 'Until', cell: (row) => (row.until === null ? 'Not known' : time(row.until)) },
        ],
        rows: remaining,
        empty: 'No data is kept.',
      })}
      <p>${linkButton(back, 'Back', 'quiet')}</p>`,
  })
