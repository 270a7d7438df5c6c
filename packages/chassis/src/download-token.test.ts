import { describe, expect, it } from '@jest/globals'
import { testVault } from './testing/index.ts'
import { createDownloadTokens, DOWNLOAD_TTL_MS } from './download-token.ts'

const tokensOf = (key: number, purpose = 'document-download') =>
  createDownloadTokens(testVault(Buffer.alloc(32, key)), purpose)
const tokens = tokensOf(1)
const NOW = new Date('2026-11-01T00:00:00Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const DOCUMENT = 'doc_01k0000000e00800000000000a'
const { token, expiresAt } = tokens.issue(DOCUMENT, NOW)

describe('a download token', () => {
  it('gives access to its document for five minutes and not a millisecond more', () => {
    expect(expiresAt).toEqual(later(300_000))
    expect(tokens.read(token, later(DOWNLOAD_TTL_MS - 1))).toBe(DOCUMENT)
    expect(tokens.read(token, later(DOWNLOAD_TTL_MS))).toBeNull()
  })

  it('lets a download that has begun continue for its grace period', () => {
    expect(tokens.read(token, later(DOWNLOAD_TTL_MS + 999), 1_000)).toBe(DOCUMENT)
    expect(tokens.read(token, later(DOWNLOAD_TTL_MS + 1_000), 1_000)).toBeNull()
  })

  it('is refused when it is valid for longer than any issued token, even with the right key', () => {
    const issuedAt = (ms: number) => tokens.issue(DOCUMENT, later(ms)).token
    expect(tokens.read(issuedAt(10 * 365 * 24 * 3_600_000), NOW)).toBeNull()
    expect(tokens.read(issuedAt(5_001), NOW)).toBeNull()
    // Issued by a replica whose clock is slightly ahead.
    expect(tokens.read(issuedAt(5_000), NOW)).toBe(DOCUMENT)
  })

  it.each([
    ['for another document', token.replace('0a.', '0b.')],
    ['with a later end', token.replace(String(expiresAt.getTime()), String(expiresAt.getTime() + 1))],
    ['without its signature', token.slice(0, token.lastIndexOf('.'))],
    ['with another signature', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['with something behind it', `${token}.`],
    ['that is empty', ''],
    ['of another key', tokensOf(2).issue(DOCUMENT, NOW).token],
    ['of another purpose', tokensOf(1, 'report-download').issue(DOCUMENT, NOW).token],
  ])('opens nothing when it is %s', (_what, forged) => {
    expect(tokens.read(forged, NOW)).toBeNull()
  })
})
