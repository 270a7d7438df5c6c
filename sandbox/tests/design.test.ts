import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Sandbox } from '../src/sandbox.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { FOCUSED_ID, OVERFLOW } from './page-scripts.ts'
import { startSandbox } from '../src/testing/index.ts'
import { violationsOf } from './violations.ts'

const START_TIMEOUT_MS = 240_000
const STEP_TIMEOUT_MS = 120_000

const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`the design in a browser${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  let sandbox: Sandbox
  let browser: Browser
  const browserErrors: string[] = []

  beforeAll(async () => {
    sandbox = await startSandbox()
    const args = ['--no-sandbox', '--disable-dev-shm-usage']
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args, timeout: START_TIMEOUT_MS })
  }, START_TIMEOUT_MS)
  afterAll(async () => {
    await browser.close()
    await sandbox.stop()
  })

  const open = async (options: BrowserContextOptions): Promise<Page> => {
    const page = await browser.newPage(options)
    page.setDefaultTimeout(STEP_TIMEOUT_MS)
    page.on('console', (message) => browserErrors.push(message.text()))
    page.on('pageerror', (error) => browserErrors.push(error.message))
    await page.goto(`${sandbox.url()}/design`)
    return page
  }

  test.each([
    ['light', 1280],
    ['dark', 1280],
    // A window of 1,280 px at 400 % (WCAG 2.2, 1.4.10).
    ['light', 320],
    ['dark', 320],
  ] as const)('passes the checks of axe in %s at %d px, and cuts nothing off', async (colorScheme, width) => {
    const page = await open({ colorScheme, viewport: { width, height: 900 } })
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate<number>(OVERFLOW)).toBe(0)
    for (const control of await page.locator('button:visible, input:not([type=checkbox]):visible').all())
      expect((await control.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
    await page.close()
  })

  test('opens the dialog without a finding, and closes it by the keyboard alone', async () => {
    const page = await open({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Reject…' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Reject this case?' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.close()
  })

  test('skips to the content from the first stop of the keyboard', async () => {
    const page = await open({})
    // The summary of errors has the focus when the page opens; from the top of the page the link comes first.
    await page.evaluate('document.activeElement.blur(); document.body.focus()')
    const skip = page.getByRole('link', { name: 'Skip to main content' })
    await skip.focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate<string>(FOCUSED_ID)).toBe('main')
    await page.close()
  })

  test('copies by the button and announces it; text is text, never markup', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await Promise.all([
      page.getByRole('status').getByText('Copied').waitFor(),
      page.getByRole('button', { name: 'Copy the address' }).click(),
    ])
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^bc1qexample/)
    await page.getByText('<script>alert(1)</script>').waitFor()
    await page.close()
  })

  test('shows no button without JavaScript that would do nothing', async () => {
    const page = await open({ javaScriptEnabled: false })
    expect(await page.getByRole('button', { name: 'Copy the address' }).count()).toBe(0)
    await page.close()
  })

  const FACT = 'dd time'
  const SENT = "document.querySelector('input[name=from]').value"

  test.each([
    ['Europe/Berlin', '23 Nov 2026, 08:43 CET · 07:43 UTC', '2026-11-23T08:43'],
    ['Pacific/Auckland', '23 Nov 2026, 20:43 GMT+13 · 07:43 UTC', '2026-11-23T20:43'],
    ['Pacific/Honolulu', '22 Nov 2026, 21:43 GMT-10 · 23 Nov 2026, 07:43 UTC', '2026-11-22T21:43'],
  ])(
    'shows times in the zone %s with UTC, and sends what is entered there in UTC',
    async (timezoneId, text, value) => {
      const page = await open({ timezoneId, viewport: { width: 320, height: 900 } })
      expect(await page.locator(FACT).textContent()).toBe(text)
      // A part of a page that is reloaded comes in UTC.
      await page.evaluate(`document.querySelector('${FACT}').textContent = '23 Nov 2026, 07:43 UTC'`)
      expect(await page.locator(FACT).textContent()).toBe(text)
      const field = page.getByLabel(`From (${timezoneId})`)
      expect(await field.inputValue()).toBe(value)
      expect(await page.evaluate(SENT)).toBe('2026-11-23T07:43')
      await page.getByText('This is 23 Nov 2026, 07:43 UTC.').waitFor()
      await field.fill(value.replace(':43', ':50'))
      expect(await page.evaluate(SENT)).toBe('2026-11-23T07:50')
      await page.getByText('This is 23 Nov 2026, 07:50 UTC.').waitFor()
      await field.fill('')
      expect(await page.evaluate(SENT)).toBe('')
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate<number>(OVERFLOW)).toBe(0)
      await page.close()
    },
  )

  test.each([
    ['in UTC', { timezoneId: 'UTC' }],
    ['without JavaScript', { timezoneId: 'Europe/Berlin', javaScriptEnabled: false }],
  ])('shows and accepts times in UTC alone %s', async (_, options) => {
    const page = await open(options)
    expect(await page.locator(FACT).textContent()).toBe('23 Nov 2026, 07:43 UTC')
    const field = page.getByLabel('From (UTC)')
    expect(await field.inputValue()).toBe('2026-11-23T07:43')
    expect(await field.getAttribute('name')).toBe('from')
    await page.close()
  })

  test('requests nothing that the policy blocks', () => {
    expect(browserErrors).toEqual([])
  })
})
