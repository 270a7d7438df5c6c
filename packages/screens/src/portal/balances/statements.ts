import { statements, type ErrorCode, type Statement } from '@causeway/contracts'
import {
  amountInUnit,
  codeBlock,
  definitionList,
  emptyState,
  html,
  linkButton,
  notice,
  type Html,
} from '../../design/index.ts'
import { pageOf } from '../../replies.ts'
import type { Answer, Ask, Reply } from '../../screen.ts'
import { portalPage, type PortalRequest } from '../frame.ts'
import { entryTable } from './entries.ts'
import { BALANCES_PATH, STATEMENTS_PATH } from './paths.ts'
import { makeStatementPdf, type PrintedStatement } from './statement-pdf.ts'

/** A page has 1,000 lines; a browser prints about 100 sheets then. */
const MAX_PAGES = 5

type Unit = Statement['units'][number]

/** Joins the parts of each unit that several pages have. */
const joinUnits = (pages: readonly Statement[]): Unit[] =>
  [
    ...Map.groupBy(
      pages.flatMap(({ units }) => units),
      ({ unit }) => unit,
    ).values(),
  ].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, entries: [...first.entries, ...others.flatMap(({ entries }) => entries)] }],
  )

type Read =
  Readonly<{ ok: true; units: readonly Unit[]; isWhole: boolean }> | Readonly<{ ok: false; code: ErrorCode }>

/** Reads a statement, up to {@link MAX_PAGES}. */
const readStatement = async (ask: Ask, month: string): Promise<Read> => {
  const pages: Statement[] = []
  let cursor: string | null = null
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor }
    const reply: Reply<typeof statements.get> = await ask(statements.get, { params: { month }, query })
    if (!reply.ok) return reply
    pages.push(reply.value.statement)
    cursor = reply.value.nextCursor
  } while (cursor !== null && pages.length < MAX_PAGES)
  return { ok: true, units: joinUnits(pages), isWhole: cursor === null }
}

const unitSection = ({ unit, opening, closing, entries }: Unit): Html =>
  html`<section class="sheet">
    <h2>${unit}</h2>
    ${definitionList([
      { term: 'At the beginning', value: amountInUnit(opening, unit) },
      { term: 'At the end', value: amountInUnit(closing, unit) },
    ])}
    ${entryTable(
      `Entries in ${unit}`,
      entries.map((entry) => ({ ...entry, unit })),
    )}
  </section>`

const merchantOf = ({ session: { principal } }: PortalRequest): string =>
  principal.kind === 'merchant' ? principal.merchantId : ''

/** A month that cannot be in the path is a page that does not exist. */
const refusedMonth = (code: ErrorCode): Answer => ({
  kind: 'error',
  code: code === 'invalid_request' ? 'resource_not_found' : code,
})

const printedBrand = async ({
  brand,
  readLogo,
}: PortalRequest['session']): Promise<PrintedStatement['brand']> => ({
  name: brand?.name ?? null,
  logoBase64: brand?.logo ? await readLogo(brand.logo.content_hash) : null,
})

/** Sends a month of the merchant's balances as a PDF. */
export const downloadStatement = async (request: PortalRequest): Promise<Answer> => {
  const month = request.params['month'] ?? ''
  const read = await readStatement(request.ask, month)
  if (!read.ok) return refusedMonth(read.code)
  if (!read.isWhole) return { kind: 'error', code: 'limit_reached' }
  const bytes = await makeStatementPdf({
    month,
    merchantId: merchantOf(request),
    brand: await printedBrand(request.session),
    units: [...read.units],
  })
  return bytes === null
    ? { kind: 'error', code: 'temporarily_unavailable' }
    : { kind: 'file', type: 'application/pdf', name: `statement-${month}.pdf`, bytes }
}

/** Shows a month of the merchant's balances, laid out to be printed. */
export const showStatement = async (request: PortalRequest): Promise<Answer> => {
  const { ask, session, params } = request
  const month = params['month'] ?? ''
  const read = await readStatement(ask, month)
  if (!read.ok) return refusedMonth(read.code)
  const { units, isWhole } = read
  return pageOf(
    portalPage({
      session,
      current: BALANCES_PATH,
      title: `Statement ${month}`,
      main: html`<h1>Statement ${month}</h1>
        <p>Merchant <code>${merchantOf(request)}</code>. Months are in UTC.</p>
        ${isWhole && html`<p class="actions">${linkButton(`${STATEMENTS_PATH}/${month}/pdf`, 'Download as PDF', 'quiet')}</p>`}
        ${
          !isWhole &&
          notice(
            'warning',
            'This page has only a part of the statement.',
            html`Get all of it with <code>causeway statement ${month}</code>.`,
          )
        }
        ${units.length === 0 ? emptyState('No balances and no entries in this month.') : units.map(unitSection)}
        <section class="sheet no-print" aria-labelledby="proof">
          <h2 id="proof">Proof</h2>
          <p>
            The statement of a past month never changes. Save it and verify it offline, without trusting this
            page:
          </p>
          ${codeBlock('Commands', `causeway statement ${month} --out statement.json\ncauseway verify statement.json`)}
        </section>`,
    }),
  )
}
