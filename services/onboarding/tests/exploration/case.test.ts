import { expect, test } from '@jest/globals'
import { exploreCase, SHIPPED, type CaseRules } from './case-machine.ts'

test('keeps the rules of a case with two requirements', async () => {
  const found = await exploreCase(2)
  expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
    states: 4_736,
    isExhausted: true,
  })
})

const MUTANTS: readonly [string, Partial<CaseRules>, string, number][] = [
  [
    'approves with missing data',
    { approve: (before, _, review) => SHIPPED.approve(before, null, review) },
    'approved-when-complete',
    4,
  ],
  [
    'rejects what is decided',
    { reject: (before, rejection) => SHIPPED.reject({ ...before, status: 'pending' }, rejection) },
    'allowed-ways',
    1,
  ],
  ['takes edits at any time', { checkWrite: () => ({ ok: true, value: 'attempt' }) }, 'closed-to-edits', 3],
  [
    'lets anybody resolve a requirement',
    { checkTransition: (requirement, to) => SHIPPED.checkTransition(requirement, to, requirement.raisedBy) },
    'resolved-by-its-raiser',
    2,
  ],
  ['never submits', { submit: () => null }, 'can-be-approved', 0],
]

test.each(MUTANTS)('catches a mutant that %s', async (_, mutant, rule, length) => {
  const { violation } = await exploreCase(2, { ...SHIPPED, ...mutant })
  expect({ rule: violation?.rule, length: violation?.trace.length }).toEqual({ rule, length })
})
