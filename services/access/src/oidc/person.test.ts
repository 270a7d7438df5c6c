import { describe, expect, test } from '@jest/globals'
import { personOf, roleOf } from './person.ts'

describe('the role of a person', () => {
  test.each([
    [['viewer'], 'viewer'],
    [['viewer', 'admin', 'reviewer'], 'admin'],
    [['finance', 'reviewer'], 'finance'],
    [['somebody-else', 'reviewer'], 'reviewer'],
    ['admin', 'admin'],
    [['ADMIN', 'Admin '], null],
    [[], null],
    [undefined, null],
    [{ admin: true }, null],
    [[['admin']], null],
  ])('follows from the claim %j: %j', (claim, role) => {
    expect(roleOf(claim)).toBe(role)
  })
})

describe('a person', () => {
  test('is named by the subject alone', () => {
    expect(personOf({ sub: 'ada', roles: ['viewer'], email: 'ada@example.com' })).toEqual({
      actor: 'oidc:ada',
      role: 'viewer',
    })
  })

  test.each(['', 'a b', 'a\n', 'x'.repeat(256), 7, undefined])('cannot have the subject %j', (sub) => {
    expect(personOf({ sub, roles: ['admin'] })).toBe('refused')
  })
})
