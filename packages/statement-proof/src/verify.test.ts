import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hashLeaf, hashLine, linesOf, statementHash } from './leaf.ts'
import { hashOfLeaf, pathOf, rootOf, treeOf } from './merkle.ts'
import type { AccountLeaf, Amount, Statement, StatementLine } from './statement.ts'
import { verifyStatement } from './verify.ts'

const MONTH = '2026-11'
type Account = Readonly<{ owner: number; balance: string; unit: string; before: number; amounts: number[] }>

/** As the ledger shows an amount: cents, or the decimal number of an asset of eight digits. */
const present = (unit: string, units: number): Amount => (unit === 'EUR' ? units : (units / 1e8).toFixed(8))

const leafOf = ({ owner, balance, unit, before, amounts }: Account) => {
  const opening = before * 10
  let closing = opening
  const lines = amounts.map((amount, at): StatementLine => {
    closing += amount
    return {
      partnerCustomerId: `pcu_${owner}`,
      balance,
      number: before + at + 1,
      kind: 'payment',
      amount: present(unit, amount),
      balanceAfter: present(unit, closing),
      orderKey: at % 2 === 0 ? null : String(at),
    }
  })
  const hashes = lines.map((line) => hashLine(unit, line))
  const leaf: AccountLeaf = {
    v: 1,
    partnerCustomerId: `pcu_${owner}`,
    balance,
    unit,
    month: MONTH,
    closed: true,
    first: before + 1,
    last: before + amounts.length,
    opening: present(unit, opening),
    closing: present(unit, closing),
    lines: linesOf(hashes),
    nonce: '00',
  }
  return { leaf, lines, hashes, opening, closing }
}

/** A statement of accounts that one seal proves, among leaves of others. */
const statementOf = (accounts: readonly Account[]): Statement => {
  const made = accounts.map(leafOf)
  const leaves = [hashOfLeaf('header'), ...made.map(({ leaf }) => hashLeaf(leaf)), hashOfLeaf('another’s')]
  const units = [...new Set(accounts.map(({ unit }) => unit))].sort().map((unit) => {
    const own = made.filter(({ leaf }) => leaf.unit === unit)
    return {
      unit,
      opening: present(
        unit,
        own.reduce((sum, { opening }) => sum + opening, 0),
      ),
      entries: own.flatMap(({ lines }) => lines),
      closing: present(
        unit,
        own.reduce((sum, { closing }) => sum + closing, 0),
      ),
    }
  })
  const proof = {
    seals: [{ number: 7, size: leaves.length, root: rootOf(leaves).toString('hex') }],
    accounts: made.map(({ leaf, hashes }, at) => ({
      leaf,
      seal: 7,
      index: at + 1,
      path: pathOf(treeOf(leaves), at + 1).map((hash) => hash.toString('hex')),
      lines: hashes,
    })),
  }
  return { month: MONTH, units, sha256: statementHash({ month: MONTH, units }), proof }
}

const accounts = fc.uniqueArray(
  fc.record({
    owner: fc.integer({ min: 1, max: 3 }),
    balance: fc.constantFrom('pending', 'available'),
    unit: fc.constantFrom('EUR', 'BTC/BTC'),
    before: fc.integer({ min: 0, max: 5 }),
    amounts: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 6, selector: ({ owner, balance, unit }) => `${owner} ${balance} ${unit}` },
)
const nameOf = ({ owner, balance, unit }: Account, number: number): string =>
  `pcu_${owner} ${balance} ${unit}: line ${number}`

/** A statement with one of its lines. */
const chosen = fc.tuple(accounts, fc.nat(), fc.nat()).map(([all, which, at]) => {
  const account = all[which % all.length] as Account
  const number = account.before + 1 + (at % account.amounts.length)
  return { statement: statementOf(all), account, number }
})
type Chosen = typeof chosen extends fc.Arbitrary<infer T> ? T : never

const isChosen = ({ account, number }: Chosen, line: StatementLine): boolean =>
  line.partnerCustomerId === `pcu_${account.owner}` &&
  line.balance === account.balance &&
  line.number === number

/** The statement with its chosen line replaced, and a `sha256` that fits. */
const changed = (given: Chosen, change: (line: StatementLine) => readonly StatementLine[]): Statement => {
  const units = given.statement.units.map((unit) =>
    unit.unit === given.account.unit
      ? { ...unit, entries: unit.entries.flatMap((line) => (isChosen(given, line) ? change(line) : [line])) }
      : unit,
  )
  return { ...given.statement, units, sha256: statementHash({ month: MONTH, units }) }
}

test('accepts a statement of any accounts', () => {
  fc.assert(
    fc.property(accounts, (all) => {
      expect(verifyStatement(statementOf(all))).toMatchObject({ faults: [], closed: true })
    }),
  )
})

describe('a statement with one wrong line', () => {
  test('names the line that was altered', () => {
    const fields = fc.constantFrom('kind', 'amount', 'balanceAfter', 'orderKey', 'added')
    fc.assert(
      fc.property(chosen, fields, (given, field) => {
        const { faults } = verifyStatement(changed(given, (line) => [{ ...line, [field]: '9.5' }]))
        expect(faults).toContain(`${nameOf(given.account, given.number)} was altered`)
        expect(faults.filter((fault) => fault.includes('line '))).toHaveLength(1)
      }),
    )
  })

  test('names the line that is missing', () => {
    fc.assert(
      fc.property(chosen, (given) => {
        const { faults } = verifyStatement(changed(given, () => []))
        expect(faults).toContain(`${nameOf(given.account, given.number)} is missing`)
        expect(faults.filter((fault) => fault.includes('line '))).toHaveLength(1)
      }),
    )
  })

  test('names the line that was added', () => {
    const others = fc.constantFrom<Partial<StatementLine>>(
      {},
      { number: 1_000 },
      { number: 0 },
      { partnerCustomerId: 'pcu_9', number: 1_000 },
    )
    fc.assert(
      fc.property(chosen, others, (given, other) => {
        const { faults } = verifyStatement(changed(given, (line) => [line, { ...line, ...other }]))
        const found = faults.filter((fault) => fault.includes('line '))
        expect(found).toHaveLength(1)
        expect(found[0]).toMatch(new RegExp(`line ${other.number ?? given.number} was added`))
      }),
    )
  })
})

describe('a statement whose proof was changed too', () => {
  const ACCOUNT: Account = { owner: 1, balance: 'pending', unit: 'EUR', before: 0, amounts: [5, 7] }
  const statement = statementOf([ACCOUNT])
  const [account] = statement.proof.accounts
  if (!account) throw new Error('No account')
  const withAccount = (change: Partial<typeof account>): Statement => ({
    ...statement,
    proof: { ...statement.proof, accounts: [{ ...account, ...change }] },
  })

  test.each<[string, Statement, string]>([
    ['a line’s hash', withAccount({ lines: ['00', ...account.lines.slice(1)] }), 'hashes of its lines'],
    ['a leaf', withAccount({ leaf: { ...account.leaf, closing: 13 } }), 'does not lead to seal 7'],
    ['the month', withAccount({ leaf: { ...account.leaf, month: '2026-12' } }), 'is of 2026-12'],
    [
      'the month, to an earlier one whose lines are kept',
      { ...statement, month: '2026-12' },
      'hashes of its lines are not those',
    ],
    ['the seal', withAccount({ seal: 8 }), 'does not lead to seal 8'],
    ['a unit', { ...statement, units: [] }, 'EUR: the unit is missing'],
    ['sha256', { ...statement, sha256: '00' }, 'sha256 is not'],
  ])('is rejected for a change of %s', (_, forged, fault) => {
    expect(verifyStatement(forged).faults).toContainEqual(expect.stringContaining(fault))
  })

  test('is rejected if everything was changed and the root is known', () => {
    const forged = statementOf([{ ...ACCOUNT, amounts: [5, 8] }])
    expect(verifyStatement(forged).faults).toEqual([])
    expect(verifyStatement(forged, [statement.proof.seals[0]?.root ?? '']).faults).toEqual([
      'Seal 7 has another root than was given',
    ])
  })
})
