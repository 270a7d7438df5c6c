import { expect, test } from '@jest/globals'
import { sequenceOf } from './acknowledgement.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

test('returns the sequence of an acknowledgement, and the first sequence for a duplicate', () => {
  expect(sequenceOf(bytes({ stream: 'EVENTS', seq: 7 }))).toBe(7)
  expect(sequenceOf(bytes({ stream: 'EVENTS', seq: 7, duplicate: true }))).toBe(7)
})

test('throws for a refusal, a missing answer and a missing stream instead of returning a sequence', () => {
  const refused = { error: { code: 503, description: 'insufficient resources' }, stream: 'EVENTS', seq: 0 }
  expect(() => sequenceOf(bytes(refused))).toThrow('insufficient resources')
  expect(() => sequenceOf('lost')).toThrow('in time')
  expect(() => sequenceOf('nobody')).toThrow('No stream')
})
