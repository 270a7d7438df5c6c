import { describe, expect, it } from '@jest/globals'
import { emailKey, judgeSignUp, type Link } from './domain.ts'

const link = (over: Partial<Link> = {}): Link => ({
  external_customer_id: 'shop-1',
  same_email: true,
  relationship_status: 'active',
  ...over,
})
const conflict = (code: string) => ({ ok: false, code })

describe('a sign-up', () => {
  it('is new when the partner knows neither the external id nor the e-mail address', () => {
    expect(judgeSignUp([], 'shop-1')).toBeNull()
  })

  it('of the same external id and address is answered with the existing relationship', () => {
    expect(judgeSignUp([link()], 'shop-1')).toEqual({ ok: true, value: link() })
  })

  it.each([
    ['the same external id with another address', [link({ same_email: false })], 'external_id_conflict'],
    [
      'the same external id with an address linked elsewhere',
      [link({ external_customer_id: 'shop-2' }), link({ same_email: false })],
      'external_id_conflict',
    ],
    [
      'an address linked under another external id',
      [link({ external_customer_id: 'shop-2' })],
      'relationship_conflict',
    ],
    ['a revoked relationship', [link({ relationship_status: 'revoked' })], 'relationship_conflict'],
    [
      'an address whose relationship under another external id is revoked',
      [link({ external_customer_id: 'shop-2', relationship_status: 'revoked' })],
      'relationship_conflict',
    ],
  ])('is refused for %s', (_what, links, code) => {
    expect(judgeSignUp(links, 'shop-1')).toEqual(conflict(code))
  })

  it('compares addresses without regard to case', () => {
    expect(emailKey('Ada@Example.COM')).toBe('ada@example.com')
  })
})
