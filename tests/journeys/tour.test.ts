import { CapabilityName } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { walkTour } from '../../scripts/demo/tour.ts'
import { createReader } from './pages/walk.ts'
import { newPartner, startTestPlatform, type TestPlatform } from './platform.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await startTestPlatform()
})
afterAll(() => platform.stop())

const readyPartner = () => newPartner(platform, { default_capabilities: CapabilityName.options })

/** The pages' commands need bash and curl, which the platform itself does not. */
const hasCurl = spawnSync('bash', ['-c', 'command -v curl']).status === 0
const testPages = hasCurl ? test : test.skip

testPages(
  'shows in README.md and docs/TOUR.md what the platform answers and its listeners print',
  async () => {
    const reader = createReader({ ...platform, partner: await readyPartner() })
    try {
      expect(await reader.read('README.md')).toBeGreaterThan(15)
      expect(await reader.read('docs/TOUR.md')).toBeGreaterThan(20)
    } finally {
      reader.end()
    }
  },
)

test('runs the demo from the first token to orders paid by crypto, card and onramp, each with its signed events', async () => {
  const steps: string[] = []
  await walkTour(
    { ...platform, partner: await readyPartner(), mayMoveTime: true },
    { step: (title) => steps.push(title), exchange: () => {}, log: (line) => steps.push(line) },
  )
  expect(steps.filter((line) => line.startsWith('received')).map((line) => line.split(',')[0])).toEqual([
    'received verification.pending',
    'received verification.rejected',
    'received verification.approved',
    'received payment.pending',
    'received payment.confirmed',
    'received payment.pending',
    'received payment.confirmed',
    'received refund.completed',
    'received payment.refunded',
    'received payment.chargeback',
    'received ramping.status_changed',
    'received ramping.status_changed',
    'received payment.confirmed',
    'received ramping.status_changed',
    'received ramping.kyc_pending',
    'received ramping.status_changed',
    'received expired',
    'received payment.expired',
  ])
})
