import { describe, expect, test } from '@jest/globals'
import { changesOf } from './changes.ts'

describe('the changes of an action', () => {
  test('contain each value that differs, with its path', () => {
    const before = { partner: { name: 'a', scopes: ['x'], status: 'active' } }
    const after = { partner: { name: 'b', scopes: ['x', 'y'], status: 'active' } }
    expect(changesOf(before, after)).toEqual([
      { path: 'partner.name', before: 'a', after: 'b' },
      { path: 'partner.scopes', before: '["x"]', after: '["x","y"]' },
    ])
  })

  test('contain every value when there was nothing before, or is nothing after', () => {
    expect(changesOf(null, { id: 1 })).toEqual([{ path: 'id', before: null, after: '1' }])
    expect(changesOf({ id: 1, none: null }, null)).toEqual([{ path: 'id', before: '1', after: null }])
  })

  test('are empty for a read, and one value for a state that is no object', () => {
    expect(changesOf(null, null)).toEqual([])
    expect(changesOf('a', 'b')).toEqual([{ path: '', before: 'a', after: 'b' }])
  })
})
