import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { hashOfLeaf } from './merkle.ts'
import type { AccountLeaf, Statement } from './statement.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The hash of an account's lines before its first one of a month. */
export const EMPTY_LINES = sha256('')

/** The hash of one line in its unit. */
export const hashLine = (unit: string, line: object): string => sha256(`${unit}\n${canonicalJson(line)}`)

/** The hash of an account's lines after another one. */
export const linesAfter = (lines: string, line: string): string => sha256(`${lines}\n${line}`)

/** The hash of a month's lines, of the hash of each. */
export const linesOf = (lines: readonly string[]): string => lines.reduce(linesAfter, EMPTY_LINES)

/** The hash of an account's leaf in the tree of its seal. */
export const hashLeaf = (leaf: AccountLeaf): Buffer => hashOfLeaf(canonicalJson(leaf))

/** The `sha256` of a statement. */
export const statementHash = ({ month, units }: Pick<Statement, 'month' | 'units'>): string =>
  sha256(canonicalJson({ month, units }))
