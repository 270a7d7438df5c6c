import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { startPlatform } from '@causeway/dev-env/platform/platform'
import { createRawClient, dataOf } from '@causeway/dev-env/platform/raw-client'
import { report } from '@causeway/dev-env/platform/report'
import { FOUR_EYES } from '@causeway/contracts'

const dataDir = mkdtempSync(join(tmpdir(), 'causeway-first-start-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('starts on an empty folder with every group of FOUR_EYES, and leaves no request waiting', async () => {
  const platform = await startPlatform({
    dataDir,
    ports: 'free',
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      TIMEOUT_FACTOR: String(TEST_TIMEOUT_FACTOR),
      FOUR_EYES: FOUR_EYES.join(','),
    },
  })
  try {
    expect([platform.partner, existsSync(join(dataDir, 'partner.json'))]).toEqual([null, false])
    expect(report(platform)).toContain('with keys in FOUR_EYES a second person confirms every partner')
    const staff = createRawClient({
      baseUrl: platform.baseUrl,
      headers: { authorization: `Bearer ${platform.operatorKey}` },
    })
    const waiting = dataOf<{ pending_actions: unknown[] }>(await staff.get('/api/operator/pending-actions'))
    const { partners } = dataOf<{ partners: unknown[] }>(await staff.get('/api/operator/partners'))
    expect([waiting.pending_actions, partners]).toEqual([[], []])
  } finally {
    await platform.stop()
  }
})
