import { describe, expect, test } from '@jest/globals'
import { ONRAMP_STATUSES } from '@causeway/contracts'
import { BANXA_STATUSES, toOnrampStatus } from './statuses.ts'
import { parseBanxaTime } from './answers.ts'

describe("Banxa's statuses", () => {
  test('map every status of the specification to itself', () => {
    for (const status of ONRAMP_STATUSES) expect(toOnrampStatus(status)).toBe(status)
  })

  test.each([
    ['complete', 'complete'],
    ['completed', 'completed'],
    ['COMPLETED', 'completed'],
    ['coinsTransferred', 'coinTransferred'],
    ['cryptoTransferInitiated', 'cryptoTransferred'],
    ['cryptoTransferPending', 'cryptoTransferred'],
    ['cryptoTransferComplete', 'cryptoTransferred'],
  ])('map %s to %s', (banxaStatus, status) => {
    expect(toOnrampStatus(banxaStatus)).toBe(status)
  })

  test('are refused when unknown, and map to statuses of the specification only', () => {
    for (const unknown of ['', 'pending', 'success', 'toString', '__proto__'])
      expect(() => toOnrampStatus(unknown)).toThrow(/an unknown status/)
    expect(new Set(Object.values(BANXA_STATUSES))).toEqual(new Set(ONRAMP_STATUSES))
  })
})

describe("Banxa's times", () => {
  test.each([
    ['2025-04-07T02:36:22.000000Z', '2025-04-07T02:36:22.000Z'],
    ['2022-08-22T09:13:56.165Z', '2022-08-22T09:13:56.165Z'],
    ['2024-01-31 12:48:36', '2024-01-31T12:48:36.000Z'],
    ['2026-01-1604:04:21', '2026-01-16T04:04:21.000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2025-04-07T02:36:22+02:00', '2025-04-07T00:36:22.000Z'],
    ['2025-04-07T02:36:22.9Z', '2025-04-07T02:36:22.900Z'],
    [' 2025-04-07 02:36:22 ', '2025-04-07T02:36:22.000Z'],
  ])('are read: %j as %s', (text, at) => {
    expect(parseBanxaTime(text)?.toISOString()).toBe(at)
  })

  test.each([
    '',
    'now',
    '0000-00-00 00:00:00',
    '2025-02-30 00:00:00',
    '2025-13-01 00:00:00',
    '2025-04-07 25:00:00',
    '2025-04-07',
    '1744000582',
    '2025-04-07T02:36Z',
    '07/04/2025 02:36:22',
  ])('are rejected: %j', (text) => {
    expect(parseBanxaTime(text)).toBeNull()
  })
})
