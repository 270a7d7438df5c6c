import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { BOOKS_DEMO_SETTINGS, type BooksDemo, startBooksDemo } from '../../scripts/demo-books/demo.ts'
import { startTestPlatform, type TestPlatform } from './platform.ts'

const FEW_PER_SECOND = 5

let platform: TestPlatform
let demo: BooksDemo
const logged: string[] = []

beforeAll(async () => {
  platform = await startTestPlatform(BOOKS_DEMO_SETTINGS)
  demo = await startBooksDemo(platform, {
    perSecond: FEW_PER_SECOND,
    port: 0,
    env: { PATH: process.env['PATH'] },
    log: (line) => logged.push(line),
  })
})
afterAll(async () => {
  await demo.stop()
  await platform.stop()
})

const page = async (): Promise<string> => (await fetch(demo.url)).text()
const press = async (name: string): Promise<number> => {
  const answer = await fetch(`${demo.url}/disturbances/${name}`, { method: 'POST', redirect: 'manual' })
  await answer.body?.cancel()
  return answer.status
}

test('keeps the trial balance at 0 and rebuilds identical books after every button has disturbed the platform', async () => {
  await eventually(async () => /ETH\/USDC/.test(await page()))
  const buttons = [...(await page()).matchAll(/action="\/disturbances\/([a-z-]+)"/g)].map(
    ([, name]) => name ?? '',
  )
  expect(buttons).toEqual(['kill-payments', 'kill-ledger', 'kill-nats', 'kill-postgres', 'lie', 'reorganise'])
  for (const button of ['lie', 'reorganise', 'kill-payments', 'kill-ledger', 'kill-nats', 'kill-postgres'])
    expect(await press(button)).toBe(303)
  expect(await press('unknown')).toBe(404)
  expect(logged.filter((line) => /killed with SIGKILL/.test(line))).toHaveLength(4)
  expect(logged.some((line) => /took back 3 blocks with [1-9]/.test(line))).toBe(true)
  for (const running of [...platform.servers, ...platform.replicas.values()]) await running.whenReady()

  const { observed, isIdentical, lines } = await demo.finish()
  expect([observed.unbalanced, lines.at(-1), isIdentical]).toEqual([0, 'The books are identical', true])
  expect(observed.readings).toBeGreaterThan(0)
  expect(observed.books?.facts).toBeGreaterThan(0)
  expect(await page()).toContain('The books are identical')
})
