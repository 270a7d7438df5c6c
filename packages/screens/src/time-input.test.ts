import { expect, test } from '@jest/globals'
import { readUtcTime, utcTimeOr } from './time-input.ts'

test.each([
  ['2027-01-01T10:30', '2027-01-01T10:30:00.000Z'],
  ['2027-01-01 10:30:15', '2027-01-01T10:30:15.000Z'],
  ['2027-01-01', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T10:30:00.123Z', '2027-01-01T10:30:00.123Z'],
  ['2027-01-01T10:30+02:00', '2027-01-01T08:30:00.000Z'],
  ['', null],
  ['soon', null],
  ['2027', null],
  ['2027-13-01T10:30', null],
])('reads %j as %j', (entered, read) => {
  expect(readUtcTime(entered)).toBe(read)
})

test('passes a text that is no time to the operation as it is', () => {
  expect([utcTimeOr('soon'), utcTimeOr('2027-01-01T10:30')]).toEqual(['soon', '2027-01-01T10:30:00.000Z'])
})
