import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { type Browser, chromium, devices, type Page } from 'playwright-core'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { type CardFixture, startCardFixture } from './card-fixture.ts'
import { CARD_NUMBER_SIZE, faintTexts, FOCUSED_ID, FOCUSED_TEXT, OVERFLOW } from './page-scripts.ts'

const START_TIMEOUT_MS = 240_000
const STEP_TIMEOUT_MS = 120_000
/** WCAG 2.2, 1.4.3. */
const TEXT_CONTRAST = 4.5

const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`hosted card page in a browser${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  let browser: Browser
  let fixture: CardFixture
  let page: Page
  let elsewhere: string[]

  beforeAll(async () => {
    // Tests may run as root, as in containers: Chromium's own sandbox does not.
    const args = ['--no-sandbox', '--disable-dev-shm-usage']
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args, timeout: START_TIMEOUT_MS })
  }, START_TIMEOUT_MS)
  afterAll(async () => {
    await browser.close()
  })

  const openPage = async (options: Parameters<Browser['newPage']>[0] = {}) => {
    page = await browser.newPage(options)
    page.setDefaultTimeout(STEP_TIMEOUT_MS)
    elsewhere = []
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) elsewhere.push(new URL(request.url()).origin)
    })
  }

  beforeEach(async () => {
    fixture = await startCardFixture()
    await openPage()
  })
  afterEach(async () => {
    await page.close()
    await fixture.stop()
  })

  const fill = async (number: string) => {
    await page.getByLabel('E-mail').fill('payer@example.com')
    await page.getByLabel('Card number').fill(number)
    await page.getByLabel('Expiry date').fill('04/40')
    await page.getByLabel('Security code').fill('123')
  }
  const pay = () => page.getByRole('button', { name: /^Pay/ }).click()
  const read = (processorOrderId: string) => fixture.parts.readPayment(processorOrderId)
  const focusedText = () => eventually(() => page.evaluate<string>(FOCUSED_TEXT))

  test('lets a person pay with a card and return to the shop', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout({ totalCents: 129_950 })
    await page.goto(orderUrl)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Pay Shop & Söhne')
    await fill('4242 4242 4242 4242')
    await page.getByRole('button', { name: 'Pay €1,299.50' }).click()
    await page.waitForURL(`${fixture.platform.url}/thanks`)
    expect(await read(processorOrderId)).toMatchObject({
      status: 'completed',
      paidCents: 129_950,
      payer: { ip: '127.0.0.1', email: 'payer@example.com' },
    })
  })

  test('works by the keyboard alone', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    await page.goto(orderUrl)
    for (const typed of ['payer@example.com', '4242424242424242', '0440', '123']) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(typed)
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(`${fixture.platform.url}/thanks`)
    expect((await read(processorOrderId)).status).toBe('completed')
  })

  test('announces a decline immediately, in focus, and another card pays', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    await page.goto(orderUrl)
    await fill('4000 0000 0000 0002')
    await pay()
    expect(await page.getByRole('alert').textContent()).toContain(
      'The card was declined. Nothing was charged.',
    )
    expect(await focusedText()).toContain('The card was declined')
    expect(await page.title()).toBe('Error: Pay Shop & Söhne')
    expect((await read(processorOrderId)).status).toBe('new')
    await fill('4242 4242 4242 4242')
    await pay()
    await page.waitForURL(`${fixture.platform.url}/thanks`)
  })

  test('accepts a card with a challenge after the right code', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    await page.goto(orderUrl)
    await fill('4000 0025 0000 3155')
    await pay()
    await page.getByLabel('Code from your bank').fill('111111')
    await page.getByRole('button', { name: 'Confirm' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('That is not the code. Tries left: 2.')
    await page.getByLabel('Code from your bank').fill('123456')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(`${fixture.platform.url}/thanks`)
    expect((await read(processorOrderId)).status).toBe('completed')
  })

  test('accepts a card first that is disputed later', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    await page.goto(orderUrl)
    await fill('4000 0000 0000 0259')
    await pay()
    await page.waitForURL(`${fixture.platform.url}/thanks`)
    expect(await read(processorOrderId)).toMatchObject({ status: 'completed', disputes: [] })
    const disputes = await eventually(async () => {
      const { disputes: found } = await read(processorOrderId)
      return found.length > 0 && found
    })
    expect(disputes).toMatchObject([{ amountCents: 10_000, currency: 'EUR' }])
  })

  test('ends at the failure page of the shop for a card that fails permanently', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    await page.goto(orderUrl)
    await fill('4000 0000 0000 0341')
    await pay()
    await page.waitForURL(`${fixture.platform.url}/sorry`)
    expect((await read(processorOrderId)).status).toBe('cancelled')
  })

  test('returns a payer who cancels to the failure page, from where the payment can be resumed', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    await page.goto(orderUrl)
    await page.getByRole('link', { name: 'Cancel and return to Shop & Söhne' }).click()
    await page.waitForURL(`${fixture.platform.url}/sorry`)
    expect((await read(processorOrderId)).status).toBe('new')
    await page.goBack()
    await fill('4242424242424242')
    await pay()
    await page.waitForURL(`${fixture.platform.url}/thanks`)
  })

  test('announces errors in focus, and they lead to their fields', async () => {
    const { orderUrl } = await fixture.checkout()
    await page.goto(orderUrl)
    await page.getByLabel('E-mail').fill('payer@example.com')
    await pay()
    const alert = page.getByRole('alert')
    expect(await focusedText()).toBe(await alert.textContent())
    expect(await alert.getByRole('listitem').count()).toBe(3)
    await alert.getByRole('link', { name: 'Enter the security code: 3 or 4 digits.' }).click()
    const cvc = page.getByLabel('Security code')
    expect(await page.evaluate<string>(FOCUSED_ID)).toBe('cvc')
    expect(await cvc.getAttribute('aria-invalid')).toBe('true')
    const described = (await cvc.getAttribute('aria-describedby')) ?? ''
    const texts = await page
      .locator(
        described
          .split(' ')
          .map((id) => `#${id}`)
          .join(', '),
      )
      .allTextContents()
    expect(texts).toEqual(['3 or 4 digits', 'Enter the security code: 3 or 4 digits.'])
    expect(await page.getByLabel('E-mail').inputValue()).toBe('payer@example.com')
  })

  test('explains every test card on the page', async () => {
    const { orderUrl } = await fixture.checkout()
    await page.goto(orderUrl)
    await page.getByText('Test cards', { exact: true }).click()
    expect(await page.getByRole('term').allTextContents()).toEqual([
      '4242 4242 4242 4242',
      '4000 0000 0000 0002',
      '4000 0025 0000 3155',
      '4000 0000 0000 0259',
      '4000 0000 0000 0341',
    ])
  })

  test('sends no request to another host and violates no policy', async () => {
    const browserErrors: string[] = []
    page.on('console', (message) => browserErrors.push(message.text()))
    page.on('pageerror', (error) => browserErrors.push(error.message))
    const { orderUrl } = await fixture.checkout()
    await page.goto(orderUrl)
    await fill('4000 0025 0000 3155')
    await pay()
    await page.getByLabel('Code from your bank').fill('123456')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(`${fixture.platform.url}/thanks`)
    expect([...new Set(elsewhere)]).toEqual([fixture.sandbox.url(), fixture.platform.url])
    expect(browserErrors).toEqual([])
  })

  test('gives every text enough contrast with its background', async () => {
    const { orderUrl } = await fixture.checkout()
    await page.goto(orderUrl)
    await page.getByText('Test cards', { exact: true }).click()
    await pay()
    expect(await page.evaluate<unknown[]>(faintTexts(TEXT_CONTRAST))).toEqual([])
  })

  test.each([
    ['a phone', devices['iPhone SE']],
    ['the narrowest window of WCAG 1.4.10', { viewport: { width: 320, height: 568 } }],
  ])('cuts nothing off on %s and makes everything large enough to touch', async (_, device) => {
    await page.close()
    await openPage(device)
    const { orderUrl } = await fixture.checkout({
      merchantName: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
      totalCents: 99_999_999_999,
      currency: 'KWD',
    })
    await page.goto(orderUrl)
    await pay()
    expect(await page.evaluate<number>(OVERFLOW)).toBe(0)
    for (const control of await page.locator('input, button').all()) {
      const box = await control.boundingBox()
      expect(box?.height ?? 0).toBeGreaterThanOrEqual(44)
    }
    // Phones zoom into fields with smaller letters.
    expect(await page.evaluate<number>(CARD_NUMBER_SIZE)).toBeGreaterThanOrEqual(16)
  })
})
