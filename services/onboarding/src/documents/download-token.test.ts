import { describe, expect, it } from '@jest/globals'
import { testVault } from '@causeway/chassis/testing'
import { DOWNLOAD_TTL_MS, issueDownloadToken, readDownloadToken } from './download-token.ts'

const vault = testVault(Buffer.alloc(32, 1))
const NOW = new Date('2026-11-01T00:00:00Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const DOCUMENT = 'doc_01k0000000e00800000000000a'
const { token, expiresAt } = issueDownloadToken(DOCUMENT, NOW, vault)

describe('a download token', () => {
  it('gives access to its document for five minutes and not a millisecond more', () => {
    expect(expiresAt).toEqual(later(300_000))
    expect(readDownloadToken(token, later(DOWNLOAD_TTL_MS - 1), vault)).toBe(DOCUMENT)
    expect(readDownloadToken(token, later(DOWNLOAD_TTL_MS), vault)).toBeNull()
  })

  it('is refused when it is valid for longer than any issued token, even with the right key', () => {
    const issuedAt = (ms: number) => issueDownloadToken(DOCUMENT, later(ms), vault).token
    expect(readDownloadToken(issuedAt(10 * 365 * 24 * 3_600_000), NOW, vault)).toBeNull()
    expect(readDownloadToken(issuedAt(5_001), NOW, vault)).toBeNull()
    // Issued by a replica whose clock is slightly ahead.
    expect(readDownloadToken(issuedAt(5_000), NOW, vault)).toBe(DOCUMENT)
  })

  it.each([
    ['for another document', token.replace('0a.', '0b.')],
    ['with a later end', token.replace(String(expiresAt.getTime()), String(expiresAt.getTime() + 1))],
    ['without its signature', token.slice(0, token.lastIndexOf('.'))],
    ['with another signature', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['with something behind it', `${token}.`],
    ['that is empty', ''],
    ['of another key', issueDownloadToken(DOCUMENT, NOW, testVault(Buffer.alloc(32, 2))).token],
  ])('opens nothing when it is %s', (_what, forged) => {
    expect(readDownloadToken(forged, NOW, vault)).toBeNull()
  })
})
