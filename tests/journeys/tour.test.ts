import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { walkTour } from '../../scripts/demo/tour.ts'
import { newPartner, startTestPlatform, type TestPlatform } from './platform.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await startTestPlatform()
}, 60_000)
afterAll(() => platform.stop())

test('a new partner goes from its first token to a paid order and its signed events', async () => {
  const steps: string[] = []
  const partner = await newPartner(platform)
  await walkTour(
    { ...platform, partner },
    { step: (title) => steps.push(title), exchange: () => {}, say: (line) => steps.push(line) },
  )
  expect(steps.filter((line) => line.startsWith('received')).map((line) => line.split(',')[0])).toEqual([
    'received verification.pending',
    'received verification.rejected',
    'received verification.approved',
    'received payment.pending',
    'received payment.confirmed',
  ])
})
