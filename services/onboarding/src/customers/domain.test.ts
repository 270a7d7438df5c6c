import { describe, expect, it } from '@jest/globals'
import { emailKey, matchSignUp, type Link } from './domain.ts'

const link = (over: Partial<Link> = {}): Link => ({
  externalCustomerId: 'shop-1',
  sameEmail: true,
  relationshipStatus: 'active',
  ...over,
})
const conflict = (code: string) => ({ ok: false, code })

describe('a sign-up', () => {
  it('is new when the partner has used neither the external id nor the e-mail address', () => {
    expect(matchSignUp([], 'shop-1')).toBeNull()
  })

  it('returns the existing relationship for the same external id and address', () => {
    expect(matchSignUp([link()], 'shop-1')).toEqual({ ok: true, value: link() })
  })

  it.each([
    ['the same external id with another address', [link({ sameEmail: false })], 'external_id_conflict'],
    [
      'the same external id with an address linked elsewhere',
      [link({ externalCustomerId: 'shop-2' }), link({ sameEmail: false })],
      'external_id_conflict',
    ],
    [
      'an address linked under another external id',
      [link({ externalCustomerId: 'shop-2' })],
      'relationship_conflict',
    ],
    ['a revoked relationship', [link({ relationshipStatus: 'revoked' })], 'relationship_conflict'],
    [
      'an address whose relationship under another external id is revoked',
      [link({ externalCustomerId: 'shop-2', relationshipStatus: 'revoked' })],
      'relationship_conflict',
    ],
  ])('is refused for %s', (_what, links, code) => {
    expect(matchSignUp(links, 'shop-1')).toEqual(conflict(code))
  })

  it('compares addresses case-insensitively', () => {
    expect(emailKey('Ada@Example.COM')).toBe('ada@example.com')
  })
})
