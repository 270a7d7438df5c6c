import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import axe from 'axe-core'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { BROWSER, NO_BROWSER } from '../../sandbox/tests/browser.ts'
import { findProgram } from '@causeway/dev-env/infrastructure/program-path'
import { describeApi } from '@causeway/reference'
import {
  BASE_URL,
  newPartner,
  openFixture,
  type Fixture,
  type Replica,
} from '../../services/gateway/tests/fixtures/running-gateway.ts'
import { signIn } from '../../services/gateway/tests/screens/console-visitor.ts'
import { PAGE_TIMEOUT_MS } from '../screens/browser.ts'

const ORDER = '#api/tag/card-orders/POST/api/v1/partner/customers/{customerId}/fiat-orders'
const NEW_CUSTOMER = '#api/tag/customers/POST/api/v1/partner/customers'
/** Request samples: the viewer's name, and the program and file that run each. */
const SAMPLES = [
  ['shell/curl', 'bash', [], 'sample.sh'],
  // Valid TypeScript too: node removes types from such a file and runs it.
  ['js/fetch', process.execPath, [], 'sample.mts'],
  ['python/python3', 'python3', [], 'sample.py'],
  ['go/native', 'go', ['run'], 'sample.go'],
  ['php/curl', 'php', [], 'sample.php'],
] as const
const isMissing = ([, program]: (typeof SAMPLES)[number]) =>
  program !== process.execPath && findProgram([program], process.env['PATH'] ?? '') === null
const MISSING = SAMPLES.filter(isMissing).map(([, program]) => program)
const NOT_RUN = MISSING.length > 0 ? ` (skipped: ${MISSING.join(', ')} not on PATH)` : ''
const RUN_TIMEOUT_MS = 120_000

/** A page, and what is on it once it is there. */
const PAGES = [
  [`/docs${ORDER}`, 'Create a card order with a hosted checkout'],
  ['/docs/receiving', 'Receiving webhooks'],
  ['/docs/events', 'Events'],
  ['/docs/start', 'Causeway'],
  ['/docs/operations', 'Operations'],
] as const
const WIDTHS = [1280, 390] as const

type AxeResults = Readonly<{ violations: readonly { id: string; nodes: { html: string }[] }[] }>

const document = describeApi('https://payments.example')

let fixture: Fixture
let gateway: Replica
let origin: string
let browser: Browser
/** Addresses that pages asked for, and what they complained of. */
const asked = new Set<string>()
const browserErrors: string[] = []

const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`the reference in a browser${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  beforeAll(async () => {
    fixture = await openFixture()
    gateway = await fixture.startReplica()
    origin = `http://127.0.0.1:${gateway.port}`
    const args = ['--no-sandbox', '--disable-dev-shm-usage']
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args, timeout: PAGE_TIMEOUT_MS })
  })
  afterAll(async () => {
    await browser.close()
    await fixture.close()
  })

  const open = async (path: string, heading: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: WIDTHS[0], height: 900 } })
    page.setDefaultTimeout(PAGE_TIMEOUT_MS)
    page.on('request', (request) => asked.add(request.url()))
    page.on('console', (message) => message.type() === 'error' && browserErrors.push(message.text()))
    page.on('pageerror', (error) => browserErrors.push(error.message))
    await page.goto(`${origin}${path}`)
    await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
    // What the viewer still draws, it draws without a request.
    await page.waitForLoadState('networkidle')
    return page
  }

  const violationsOf = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<AxeResults>('axe.run(document, {resultTypes: ["violations"]})')
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`,
    )
  }

  const expectNoFaults = async (page: Page) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      expect([width, await violationsOf(page)]).toEqual([width, []])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    }
    await page.setViewportSize({ width: WIDTHS[0], height: 900 })
  }

  test.each(PAGES)('passes axe and cuts nothing off on %s, at each width', async (path, heading) => {
    const page = await open(path, heading)
    await expectNoFaults(page)
    await page.close()
  })

  // The viewer takes seconds to draw, so that these tests share one.
  describe('the viewer of the reference', () => {
    let page: Page
    let contents: Locator
    beforeAll(async () => {
      page = await open('/docs', 'Causeway')
      contents = page.getByRole('complementary', { name: 'Sidebar for Causeway' })
    })
    afterAll(() => page.close())

    test('passes axe and cuts nothing off, at each width', () => expectNoFaults(page))

    test('finds an operation by what it does, and an event by its name', async () => {
      for (const [words, found] of [
        ['refund a card order', 'Refund a card order to its payer'],
        ['payment.underpaid', 'payment.underpaid: Less arrived than is due'],
      ] as const) {
        await page.getByRole('button', { name: 'Search' }).first().click()
        await page.keyboard.type(words)
        await page.getByRole('option').filter({ hasText: found }).first().waitFor()
        await page.keyboard.press('Escape')
      }
    })

    test('lists every operation and every event in its contents', async () => {
      const closed = contents.locator('button[aria-expanded="false"]')
      while ((await closed.count()) > 0) await closed.first().click()
      const text = (await contents.textContent()) ?? ''
      const summaries = [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})].flatMap(
        (methods) => Object.values(methods).map(({ summary }) => summary),
      )
      expect(summaries.length).toBeGreaterThan(90)
      expect(summaries.filter((summary) => !text.includes(summary))).toEqual([])
    })

    test.each([
      ['refund.completed', 'order_key'],
      ['payout_sent', 'amountCents'],
    ])('shows %s with when it fires, what to do, its fields and an example', async (name, field) => {
      const event = Object.values(document.webhooks?.[name] ?? {})[0]
      await contents.getByRole('link', { name: event?.summary ?? '' }).click()
      const section = page.getByRole('region', { name: event?.summary ?? '' })
      for (const text of ['When:', 'What to do:', field, `"${name}"`])
        await section.getByText(text).first().waitFor()
    })

    test('has pages with landmarks, which lead to each other', async () => {
      expect(await page.getByRole('main').count()).toBe(1)
      const pages = page.getByRole('navigation', { name: 'Pages' })
      await pages.getByRole('link', { name: 'Receiving webhooks' }).click()
      await page.getByRole('heading', { name: 'Receiving webhooks', level: 1 }).waitFor()
      expect(await pages.getByRole('link', { name: 'Receiving webhooks' }).getAttribute('aria-current')).toBe(
        'page',
      )
    })
  })

  describe(`request samples${NOT_RUN}`, () => {
    const recorded = document.paths['/api/v1/partner/customers']?.['post']?.requestBody
    let page: Page
    let operation: Locator
    let partner: Awaited<ReturnType<typeof newPartner>>
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'samples-'))
      partner = await newPartner(gateway)
      page = await open(`/docs${NEW_CUSTOMER}`, 'Link an external customer to a merchant')
      operation = page.locator('.operation-layout').first()
    })
    afterAll(async () => {
      await page.close()
      await rm(folder, { recursive: true })
    })

    const openMenu = async () => {
      await operation.getByTestId('client-picker').click()
      await page.getByRole('option').first().waitFor()
    }

    test('are offered in five languages', async () => {
      await openMenu()
      const options = await page.getByRole('option').all()
      const ids = await Promise.all(options.map((option) => option.getAttribute('id')))
      await page.keyboard.press('Escape')
      expect(ids.map((id) => id?.split('-').at(-1)).toSorted()).toEqual(
        SAMPLES.map(([key]) => key).toSorted(),
      )
    })

    test.each(SAMPLES.filter((sample) => !isMissing(sample)))(
      'send the recorded example when only the address and the token are replaced: %s',
      async (key, program, args, name) => {
        await openMenu()
        await page.locator(`[role=option][id$="${key}"]`).click()
        const sample = (await operation.locator('pre').first().textContent()) ?? ''
        const runnable = sample
          .replace(new URL(BASE_URL).host, new URL(origin).host)
          .replace('YOUR_SECRET_TOKEN', partner.token)
        const file = join(folder, name)
        await writeFile(file, name.endsWith('.php') ? `<?php\n${runnable}` : runnable)
        fixture.script.asked.length = 0
        await promisify(execFile)(program, [...args, file], { timeout: RUN_TIMEOUT_MS })
        expect(fixture.script.asked).toMatchObject([
          {
            caller: { kind: 'partner', partnerId: partner.partner.partner_id },
            body: recorded?.content['application/json']?.example,
          },
        ])
      },
    )
  })

  describe('the viewer, which is third-party code,', () => {
    let page: Page
    beforeAll(async () => {
      // What the browser says of attempts is no complaint about the page.
      page = await browser.newPage()
      page.setDefaultTimeout(PAGE_TIMEOUT_MS)
      await page.goto(`${origin}/docs`)
      await page.getByRole('heading', { name: 'Causeway', exact: true }).first().waitFor()
      // A person of staff is signed in to the console in this browser.
      const [name = '', value = ''] = (await signIn(gateway)).cookie.split('=')
      await page.context().addCookies([{ name, value, url: origin }])
    })
    afterAll(() => page.close())
    const outcomeOf = (code: string) =>
      page.evaluate<string>(
        `(async () => { try { return String(await (async () => ${code})()) } catch (error) { return error.name } })()`,
      )

    test('reads no cookie', async () => {
      expect(await outcomeOf('document.cookie')).toBe('SecurityError')
    })

    test.each(['cors', 'same-origin', 'no-cors'])(
      'reads no page of the console with its reader’s session, in the mode %s',
      async (mode) => {
        const own = await fetch(`${origin}/console`, { redirect: 'manual' })
        expect(own.headers.get('location')).toBe('/console/sign-in')
        const code = `(await fetch('/console', { credentials: 'include', mode: '${mode}' })).type`
        expect(await outcomeOf(code)).toBe('TypeError')
      },
    )

    test('reads nothing of a window of the console that it opens', async () => {
      const opened = page.waitForEvent('popup')
      await page.evaluate("globalThis.other = window.open('/console'); null")
      const console = await opened
      await console.getByRole('heading', { name: 'Work' }).waitFor()
      expect(await outcomeOf('other.document.title')).toBe('SecurityError')
      await console.close()
    })

    test('offers the document as a file', async () => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download OpenAPI Document' }).first().click()
      expect((await download).suggestedFilename()).toMatch(/\.json$/)
    })
  })

  test('loads nothing from elsewhere, and nothing that the policy blocks', () => {
    const elsewhere = [...asked].filter(
      (address) => !address.startsWith(origin) && !/^(data|blob):/.test(address),
    )
    expect(elsewhere).toEqual([])
    expect(browserErrors).toEqual([])
    expect(asked.size).toBeGreaterThan(5)
  })
})
