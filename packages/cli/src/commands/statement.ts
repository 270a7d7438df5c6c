import { joinPages, type Statement } from '@causeway/statement-proof'
import type { Command } from 'commander'
import { writeFile } from 'node:fs/promises'
import { CliError } from '../cli-error.ts'
import { actWith, type Context } from '../context.ts'
import type { Session } from '../session/session.ts'
import type { Columns } from '../output/table.ts'
import { unitAmount } from '../output/values.ts'

type Unit = Statement['units'][number]

const HELP = `
The statement of a past month never changes. Keep the file: causeway verify checks it offline.

Examples:
  causeway statement 2026-10
  causeway statement 2026-10 --out statement.json
  causeway statement 2026-10 --partner`

const UNITS: Columns<Unit> = {
  UNIT: (row) => row.unit,
  OPENING: (row) => unitAmount(row.opening, row.unit),
  LINES: (row) => String(row.entries.length),
  CLOSING: (row) => unitAmount(row.closing, row.unit),
}

type Page = Readonly<{ statement: Statement; next: string | null }>
type ReadPage = (query: Readonly<{ month: string; cursor?: string }>) => Promise<Page>

const pagesOfMerchant =
  (session: Session): ReadPage =>
  async (query) => {
    const { statement, nextCursor: next } = await session.merchant().getStatement(query)
    return { statement, next }
  }
const pagesOfPartner =
  (session: Session): ReadPage =>
  async (query) => {
    const { statement, next_cursor: next } = await session.partner().getOwnStatement(query)
    return { statement, next }
  }

/** Reads every page of a statement. */
const readStatement = async (readPage: ReadPage, month: string): Promise<Statement> => {
  const pages: Statement[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await readPage({ month, ...(cursor !== undefined && { cursor }) })
    pages.push(page.statement)
    cursor = page.next
  }
  return joinPages(month, pages)
}

const write = async (file: string, statement: Statement): Promise<void> => {
  try {
    await writeFile(file, `${JSON.stringify(statement, null, 2)}\n`)
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

/** `causeway statement`. */
export const addStatement = (program: Command, context: Context): void => {
  program
    .command('statement')
    .description("show a merchant's statement of a month, or of a partner's earnings, with its proof")
    .argument('<month>', 'month in UTC, such as 2026-10')
    .option('--partner', "the partner's earnings instead of a merchant's balances")
    .option('--out <file>', 'file to write the statement to, as JSON')
    .addHelpText('after', HELP)
    .action(
      actWith<{ out?: string; partner?: true }>(
        context,
        async (session, { args: [month = ''], options, output }) => {
          const statement = await readStatement(
            options.partner === true ? pagesOfPartner(session) : pagesOfMerchant(session),
            month,
          )
          if (options.out !== undefined) {
            await write(options.out, statement)
            output.note(`Written to ${options.out}. Verify it: causeway verify ${options.out}`)
          }
          if (output.isJson) output.one(statement)
          else output.list(UNITS, statement.units)
        },
      ),
    )
}
