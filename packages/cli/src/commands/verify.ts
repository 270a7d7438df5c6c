import { verifyStatement, type Statement, type VerifiedStatement } from '@causeway/statement-proof'
import { InvalidArgumentError, type Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { CliError, usageError } from '../cli-error.ts'
import { act, type Context } from '../context.ts'

type Options = Readonly<{ root: readonly string[] }>

const HELP = `
Needs no platform and no login. Prints the lines that were altered, added or removed.
A completely forged file has a valid proof: compare its root, by --root, with one that
you have kept elsewhere.

Examples:
  causeway verify statement.json
  causeway verify statement.json --root 9f2c…`

const parseRoot = (value: string, given: readonly string[]): readonly string[] => {
  if (!/^[0-9a-f]{64}$/i.test(value)) throw new InvalidArgumentError('Enter 64 hexadecimal digits.')
  return [...given, value.toLowerCase()]
}

const read = async (file: string): Promise<unknown> => {
  let text
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw usageError(`${file} cannot be read: ${(error as Error).message}`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`${file} is not JSON`)
  }
}

/** A statement as it is in a response of the API, or alone. */
const find = (json: unknown): unknown => {
  const { data, statement, nextCursor, next_cursor } = Object(json) as Readonly<Record<string, unknown>>
  if (typeof (nextCursor ?? next_cursor) === 'string')
    throw usageError(
      'This is one page of a statement. Take all of it: causeway statement <month> --out <file>',
    )
  return data === undefined ? (statement ?? json) : find(data)
}

const verify = async (file: string, roots: readonly string[]): Promise<VerifiedStatement> => {
  const statement = find(await read(file))
  try {
    return verifyStatement(statement as Statement, roots)
  } catch (error) {
    throw usageError(`${file} is not a statement: ${(error as Error).message}`)
  }
}

const summaryOf = ({ month, lines, closed, seals }: VerifiedStatement): string =>
  [
    `The statement of ${month} is right: ${lines} lines.`,
    closed ? 'The month is closed.' : 'The month is open: later entries are not in it.',
    ...seals.map(({ number, root }) => `Seal ${number}: root ${root}`),
  ].join('\n')

/** `causeway verify`. */
export const addVerify = (program: Command, context: Context): void => {
  program
    .command('verify')
    .description('verify a statement of a merchant or a partner, offline')
    .argument('<file>', 'the statement, as the platform returned it')
    .option('--root <hex>', 'root that a seal must have; may be repeated', parseRoot, [])
    .addHelpText('after', HELP)
    .action(
      act<Options>(context, async ({ args: [file = ''], options, output }) => {
        const verified = await verify(file, options.root)
        if (output.isJson) output.one(verified)
        if (verified.faults.length === 0) {
          if (!output.isJson) output.one(verified, summaryOf(verified))
          return
        }
        if (!output.isJson) output.one(verified, verified.faults.join('\n'))
        throw new CliError(`${file} is not what was sealed: ${verified.faults.length} faults`)
      }),
    )
}
