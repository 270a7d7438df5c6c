import { expect, test } from '@jest/globals'
import { sequenceOf } from './acknowledgement.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

test('an acknowledgement gives the sequence, a duplicate the one of its first', () => {
  expect(sequenceOf(bytes({ stream: 'EVENTS', seq: 7 }))).toBe(7)
  expect(sequenceOf(bytes({ stream: 'EVENTS', seq: 7, duplicate: true }))).toBe(7)
})

test('a refusal, silence and an absent stream are errors, never a sequence', () => {
  const refused = { error: { code: 503, description: 'insufficient resources' }, stream: 'EVENTS', seq: 0 }
  expect(() => sequenceOf(bytes(refused))).toThrow('insufficient resources')
  expect(() => sequenceOf('lost')).toThrow('in time')
  expect(() => sequenceOf('nobody')).toThrow('No stream')
})
