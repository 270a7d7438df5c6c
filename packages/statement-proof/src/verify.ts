import { hashLeaf, hashLine, linesOf, statementHash } from './leaf.ts'
import { rootFromPath } from './merkle.ts'
import type { AccountLeaf, Amount, Statement, StatementLine } from './statement.ts'

/** The result of a verification. `faults` is empty where the statement is right. */
export type VerifiedStatement = Readonly<{
  faults: readonly string[]
  month: string
  lines: number
  /** True if the month is over; the statement then never changes. */
  closed: boolean
  seals: Statement['proof']['seals']
}>

type Proven = Statement['proof']['accounts'][number]
type Account = Pick<AccountLeaf, 'partnerCustomerId' | 'balance' | 'unit'>

const keyOf = ({ partnerCustomerId, balance, unit }: Account): string =>
  `${partnerCustomerId} ${balance} ${unit}`

/** Digits after the point of the smallest part of any asset, and more. */
const SCALE = 30

/** An amount as a whole number of parts so small that every amount is one. */
const partsOf = (amount: Amount): bigint => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,30}))?$/.exec(String(amount)) ?? []
  if (whole === '') throw new RangeError(`${String(amount)} is not an amount`)
  return BigInt(`${sign}${whole}${fraction.padEnd(SCALE, '0')}`)
}

/** Faults of an account's place in its seal. */
function checkSeal({ leaf, seal, index, path, lines }: Proven, { proof, month }: Statement): string[] {
  const of = keyOf(leaf)
  const faults: string[] = []
  const stated = proof.seals.find(({ number }) => number === seal)
  const hashes = path.map((hash) => Buffer.from(hash, 'hex'))
  const root = stated && rootFromPath(hashLeaf(leaf), index, stated.size, hashes)
  if (!root || root.toString('hex') !== stated.root)
    faults.push(`${of}: its proof does not lead to seal ${seal}`)
  if (leaf.month > month || (leaf.month < month && !leaf.closed))
    faults.push(`${of}: its proof is of ${leaf.month}, not of ${month}`)
  if (leaf.month === month ? linesOf(lines) !== leaf.lines : lines.length > 0)
    faults.push(`${of}: the hashes of its lines are not those that were sealed`)
  return faults
}

/** Names lines that were altered, added or left out of one account. */
function checkLines({ leaf, lines }: Proven, given: readonly StatementLine[], month: string): string[] {
  const of = keyOf(leaf)
  const first = leaf.month === month ? leaf.first : leaf.last + 1
  const faults: string[] = []
  const seen = new Set<number>()
  for (const line of given) {
    const sealed = lines[line.number - first]
    if (sealed === undefined) faults.push(`${of}: line ${line.number} was added`)
    else if (seen.has(line.number)) faults.push(`${of}: line ${line.number} was added a second time`)
    else if (hashLine(leaf.unit, line) !== sealed) faults.push(`${of}: line ${line.number} was altered`)
    seen.add(line.number)
  }
  for (const [at] of lines.entries())
    if (!seen.has(first + at)) faults.push(`${of}: line ${first + at} is missing`)
  return faults
}

/** The opening balance of an account in the statement's month. */
const openingOf = ({ leaf }: Proven, month: string): Amount =>
  leaf.month === month ? leaf.opening : leaf.closing

/** Faults of the balances of a unit, and units that are left out. */
function checkBalances({ month, units, proof }: Statement): string[] {
  const names = new Set([...units.map(({ unit }) => unit), ...proof.accounts.map(({ leaf }) => leaf.unit)])
  return [...names].flatMap((name) => {
    const unit = units.find((each) => each.unit === name)
    if (!unit) return [`${name}: the unit is missing`]
    const accounts = proof.accounts.filter(({ leaf }) => leaf.unit === name)
    const sum = (amounts: readonly Amount[]) => amounts.reduce((total, each) => total + partsOf(each), 0n)
    const opening = sum(accounts.map((account) => openingOf(account, month)))
    const closing = sum(accounts.map(({ leaf }) => leaf.closing))
    return [
      ...(partsOf(unit.opening) === opening ? [] : [`${name}: the opening balance was altered`]),
      ...(partsOf(unit.closing) === closing ? [] : [`${name}: the closing balance was altered`]),
      ...(opening + sum(unit.entries.map(({ amount }) => amount)) === closing
        ? []
        : [`${name}: the opening balance and the lines do not sum to the closing balance`]),
    ]
  })
}

/** Lines of each account of the statement, by its key. */
const linesByAccount = ({ units }: Statement): Map<string, StatementLine[]> => {
  const found = new Map<string, StatementLine[]>()
  for (const { unit, entries } of units)
    for (const line of entries) {
      const key = keyOf({ ...line, unit })
      found.set(key, [...(found.get(key) ?? []), line])
    }
  return found
}

/**
 * Verifies a statement without the platform: each line against the hashes that were sealed, and these against the roots.
 * A root that was kept elsewhere tells whether the whole file was made anew.
 * @param roots roots (hex) of which each seal of the statement must have one; empty: any root
 * @throws Error for what is not a statement
 */
export const verifyStatement = (statement: Statement, roots: readonly string[] = []): VerifiedStatement => {
  const { month, units, proof } = statement
  const given = linesByAccount(statement)
  const known = new Set(proof.accounts.map(({ leaf }) => keyOf(leaf)))
  const faults = [
    ...proof.accounts.flatMap((account) => checkSeal(account, statement)),
    ...proof.accounts.flatMap((account) => checkLines(account, given.get(keyOf(account.leaf)) ?? [], month)),
    ...[...given].flatMap(([key, lines]) =>
      known.has(key) ? [] : lines.map(({ number }) => `${key}: line ${number} was added`),
    ),
    ...(known.size === proof.accounts.length ? [] : ['An account is proven twice']),
    ...checkBalances(statement),
    ...proof.seals.flatMap(({ number, root }) =>
      roots.length === 0 || roots.includes(root) ? [] : [`Seal ${number} has another root than was given`],
    ),
  ]
  if (statementHash(statement) !== statement.sha256) faults.push('sha256 is not that of the statement')
  return {
    faults,
    month,
    lines: units.reduce((sum, { entries }) => sum + entries.length, 0),
    closed: proof.accounts.every(({ leaf }) => leaf.month === month && leaf.closed),
    seals: proof.seals,
  }
}
