import { expect, test } from '@jest/globals'
import { confirmed, maskAddress, newStanding, proofMessage, proved, type Standing } from './rules.ts'

const NOW = new Date('2026-11-28T12:00:00.000Z')
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)
const WAIT = { requiresProof: false, waitMs: 24 * 3_600_000 }
const waiting: Standing = newStanding(WAIT, true, NOW)

test('lets a new destination wait, and requires a proof where one is possible', () => {
  const strict = { ...WAIT, requiresProof: true }
  const statuses = [
    newStanding(WAIT, true, NOW),
    newStanding(strict, true, NOW),
    newStanding(strict, false, NOW),
  ]
  expect(statuses.map(({ status }) => status)).toEqual(['waiting', 'proof_required', 'waiting'])
  expect(waiting).toEqual({ status: 'waiting', confirmedAt: null, provedAt: null, usableFrom: later(24) })
})

test.each([
  ['confirmed', confirmed, 'confirmedAt'],
  ['proved', proved, 'provedAt'],
] as const)(
  'activates a destination that was %s once its waiting time is over, not before',
  (_, vouch, field) => {
    expect(vouch(waiting, later(23))).toEqual({ ...waiting, [field]: later(23) })
    expect(vouch(waiting, later(24))).toEqual({ ...waiting, [field]: later(24), status: 'active' })
  },
)

test('keeps the first time of a confirmation and of a proof that are repeated', () => {
  const once = confirmed(waiting, later(1))
  expect(once && confirmed(once, later(2))).toEqual(once)
  const provedOnce = proved(waiting, later(1))
  expect(provedOnce && proved(provedOnce, later(2))).toEqual(provedOnce)
})

test('lets staff confirm no destination whose proof is required', () => {
  const required: Standing = { ...waiting, status: 'proof_required' }
  expect(confirmed(required, later(30))).toBeNull()
  expect(proved(required, later(1))).toEqual({ ...required, status: 'waiting', provedAt: later(1) })
  expect(proved(required, later(30))).toMatchObject({ status: 'active' })
})

test('lets nobody activate a destination that was refused', () => {
  const refused: Standing = { ...waiting, status: 'refused' }
  expect([confirmed(refused, later(30)), proved(refused, later(30))]).toEqual([null, null])
})

test('shortens an address', () => {
  expect(maskAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe('0x5aAe…eAed')
})

test('names platform, wallet, relationship, unit and address in the message that an owner signs', () => {
  const proof = { payoutWalletId: 'pwt_1', partnerCustomerId: 'pcu_1', unit: 'ETH/USDC', address: '0xabc' }
  const message = proofMessage(proof, 'https://api.example')
  expect(message).toBe('Pay out ETH/USDC of pcu_1 at https://api.example to 0xabc (payout wallet pwt_1)')
  const others = [
    proofMessage({ ...proof, payoutWalletId: 'pwt_2' }, 'https://api.example'),
    proofMessage({ ...proof, partnerCustomerId: 'pcu_2' }, 'https://api.example'),
    proofMessage({ ...proof, address: '0xabd' }, 'https://api.example'),
    proofMessage({ ...proof, unit: 'ETH/ETH' }, 'https://api.example'),
    proofMessage(proof, 'https://other.example'),
  ]
  expect(new Set([message, ...others]).size).toBe(6)
})
