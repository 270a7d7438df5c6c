import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@causeway/client'
import { eventually, TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { LANGUAGE_TAGS } from '@causeway/screens'
import { describe, expect, test } from '@jest/globals'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { startCutProxy } from './cut-proxy.ts'
import { orderBody, type TestPlatform } from './platform.ts'
import { PAGE_TIMEOUT_MS } from '../screens/browser.ts'

/** How soon a page is right, whatever happens to its stream (decisions §22), on a machine that does nothing else. */
const RIGHT_WITHIN_MS = 2_000 * TEST_TIMEOUT_FACTOR
const CUTS = 50
const HALF_A_DAY_MS = 12 * 3_600_000
/** An address outside of the platform. */
const RECIPIENT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

type Fixture = Readonly<{
  platform: TestPlatform
  causeway: PartnerClient
  customerId: string
  browser: Browser
}>

let orders = 0

/** The payment page of crypto orders, in the browser and on the platform that its caller has started. */
export const describePaymentPage = (fixture: () => Fixture): void =>
  describe('the payment page', () => {
    const browserErrors: string[] = []

    const control = async (path: string, body: unknown) => {
      const answer = await fixture().platform.sandbox.post(`/control/${path}`, body)
      expect(answer.status).toBe(200)
    }
    const newOrder = async (stated: object = {}) => {
      orders += 1
      const { causeway, customerId } = fixture()
      const body = { ...orderBody(`page-${orders}`), ...stated }
      return (await causeway.createCryptoOrder({ customerId, body })).order
    }
    const open = async (address: string, options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await fixture().browser.newPage(options)
      page.setDefaultTimeout(PAGE_TIMEOUT_MS)
      page.on('console', (message) => browserErrors.push(message.text()))
      page.on('pageerror', (error) => browserErrors.push(error.message))
      await page.goto(address)
      return page
    }
    const openOrder = (id: string, options?: BrowserContextOptions) =>
      open(`${fixture().platform.baseUrl}/pay/${id}`, options)
    const says = (page: Page, title: string, timeout = PAGE_TIMEOUT_MS) =>
      page.getByRole('heading', { name: title, exact: true }).waitFor({ timeout })
    const becomes = (orderId: string, status: string) =>
      eventually(async () => (await fixture().causeway.getCryptoOrder({ orderId })).order.status === status)

    test('says each state as it happens, from the first coin to the last', async () => {
      const { id, amount, address } = await newOrder()
      const page = await openOrder(id, { permissions: ['clipboard-read', 'clipboard-write'] })
      await says(page, 'Waiting for your payment')
      expect(await violationsOf(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violationsOf(page)).toEqual([])
      // Waited for from before the click: the line stays for a few seconds only.
      await Promise.all([
        page.getByText('Copied').waitFor(),
        page.getByRole('button', { name: 'Copy the address' }).click(),
      ])
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address)
      expect(await page.getByRole('link', { name: 'Open in a wallet' }).getAttribute('href')).toMatch(
        /^bitcoin:/,
      )

      const part = (Number(amount) / 4).toFixed(8).replace(/0+$/, '')
      const rest = (Number(amount) - Number(part)).toFixed(8).replace(/0+$/, '')
      await control('deposits', { order_id: id, amount: part, confirmations: 0 })
      await says(page, `We see a part of your payment; ${rest} BTC is missing`)
      expect(await violationsOf(page)).toEqual([])
      await control('confirmations', { order_id: id, confirmations: 6 })
      await says(page, `${rest} BTC is still due`)
      expect(await violationsOf(page)).toEqual([])
      expect(await page.getByRole('link', { name: 'Open in a wallet' }).getAttribute('href')).toContain(
        `amount=${rest}`,
      )
      await control('deposits', { order_id: id })
      await says(page, 'Your payment has arrived')
      expect(await violationsOf(page)).toEqual([])
      expect(await page.title()).toMatch(/^Paid/)
      expect(await page.getByText(address).count()).toBe(0)
      await page.close()
    })

    test('names the shop on a phone, counts confirmations, and ends as a receipt that leads back', async () => {
      const returnUrl = 'https://books.example/thanks'
      const { id, payUrl = '' } = await newOrder({
        shopName: 'Corner Books',
        description: 'Two novels',
        returnUrl,
      })
      const page = await open(payUrl, { viewport: { width: 320, height: 700 } })
      await page.getByRole('heading', { name: 'Pay Corner Books with crypto' }).waitFor()
      await page.getByText('Send BTC on Bitcoin only.').waitFor()
      const wallet = page.getByRole('link', { name: 'Open in a wallet' })
      const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0
      expect(await topOf(wallet)).toBeLessThan(await topOf(page.getByRole('img')))
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
      await page.setViewportSize({ width: 1_100, height: 700 })
      expect(await topOf(wallet)).toBeGreaterThan(await topOf(page.getByRole('img')))
      await control('deposits', { order_id: id, confirmations: 0 })
      await page.getByText('0 of 2 confirmations').waitFor()
      await control('confirmations', { order_id: id, confirmations: 1 })
      await page.getByText('1 of 2 confirmations').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await control('confirmations', { order_id: id, confirmations: 2 })
      await page.getByRole('heading', { name: 'Receipt' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(await page.getByRole('link', { name: 'Back to Corner Books' }).getAttribute('href')).toBe(
        returnUrl,
      )
      await page.close()
    })

    test('says that an order was cancelled, and that what had arrived was sent back', async () => {
      const { id } = await newOrder()
      const { causeway, platform } = fixture()
      const page = await openOrder(id)
      await causeway.cancelCryptoOrder({ orderId: id })
      await says(page, 'This payment was cancelled')
      expect(await violationsOf(page)).toEqual([])
      await control('deposits', { order_id: id })
      const refund = `/api/operator/orders/${id}/refund`
      await eventually(async () => (await platform.staff.get(`${refund}-plan`)).status === 200)
      const sentBack = await platform.staff.post(refund, { to_address: RECIPIENT })
      expect(sentBack.status).toBe(200)
      await says(page, 'Your payment was refunded')
      expect(await violationsOf(page)).toEqual([])
      await page.close()
    })

    test('lets a buyer without crypto buy it from the provider, who sends it', async () => {
      const { id } = await newOrder()
      const page = await openOrder(id)
      await page.getByRole('button', { name: 'Buy with EUR' }).click()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Continue your purchase' }).click()
      await page.getByRole('heading', { level: 1, name: /^Buy 0\.\d+ BTC$/ }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Request more documents' }).click()
      await page.getByText('The provider asks for more documents').waitFor()
      await page.getByRole('button', { name: 'Pay', exact: true }).click()
      await page.getByText('The crypto was sent.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Return to the payment' }).click()
      await says(page, 'Your payment has arrived')
      await page.close()
    })

    test('is accessible and fits 320 px in every language, while it is to be paid and as a receipt', async () => {
      const { id } = await newOrder({
        shopName: 'Corner Books',
        returnUrl: 'https://books.example/thanks',
        description: 'Two novels',
      })
      const page = await openOrder(id, { viewport: { width: 320, height: 640 } })
      const expectGood = async (tag: string, status: string, isJudged: boolean) => {
        await page.goto(`${fixture().platform.baseUrl}/pay/${id}?lang=${tag}`)
        expect(await page.locator('#order > div').getAttribute('data-status')).toBe(status)
        if (isJudged) expect([tag, ...(await violationsOf(page))]).toEqual([tag])
        const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect([tag, status, excess]).toEqual([tag, status, 0])
      }
      for (const tag of LANGUAGE_TAGS) await expectGood(tag, 'pending', true)
      await control('deposits', { order_id: id })
      await becomes(id, 'paid')
      for (const tag of LANGUAGE_TAGS) await expectGood(tag, 'paid', tag === 'ar')
      await page.close()
    })

    test('lets a buyer switch the language without JavaScript, and keeps it in forms and live parts', async () => {
      const { id } = await newOrder()
      const still = await openOrder(id, { javaScriptEnabled: false, locale: 'de-AT' })
      await says(still, 'Wir warten auf Ihre Zahlung')
      await still.locator('.languages summary').click()
      await still.getByRole('link', { name: 'العربية' }).click()
      await says(still, 'في انتظار دفعتكم')
      expect(await still.locator('html').getAttribute('dir')).toBe('rtl')
      await still.getByRole('button', { name: 'الشراء بعملة' }).click()
      await still.getByRole('link', { name: 'متابعة الشراء' }).waitFor()
      expect(await still.context().cookies()).toEqual([])
      await still.close()

      const live = await newOrder()
      const page = await openOrder(`${live.id}?lang=ja`)
      await says(page, 'お支払いをお待ちしています')
      await control('deposits', { order_id: live.id })
      await says(page, 'お支払いが完了しました')
      await page.close()
    })

    test('works without JavaScript', async () => {
      const { id } = await newOrder()
      const page = await openOrder(id, { javaScriptEnabled: false })
      await says(page, 'Waiting for your payment')
      expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('15')
      await control('deposits', { order_id: id })
      await becomes(id, 'paid')
      await page.reload()
      await says(page, 'Your payment has arrived')
      expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(0)
      await page.close()
    })

    test('shows that an order has expired, and that a late payment has arrived', async () => {
      const { id } = await newOrder()
      const page = await openOrder(id, { viewport: { width: 320, height: 568 } })
      await control('clock', { advance_ms: HALF_A_DAY_MS })
      await says(page, 'The time to pay has expired')
      expect(await violationsOf(page)).toEqual([])
      await control('deposits', { order_id: id })
      await says(page, 'Your payment has arrived')
      await page.close()
    })

    test('causes no error in the browser on any of the pages', () => {
      expect(browserErrors).toEqual([])
    })

    test(`is right within 2 s of each state with its stream cut ${CUTS} times`, async () => {
      const { id, amount } = await newOrder()
      const proxy = await startCutProxy(fixture().platform.baseUrl)
      const page = await open(`${proxy.url}/pay/${id}`)
      const parts = 5
      const part = (Number(amount) / parts).toFixed(8)
      for (let paid = 1; paid <= parts; paid += 1) {
        await control('deposits', { order_id: id, ...(paid < parts && { amount: part }) })
        const left = (Number(amount) - paid * Number(part)).toFixed(8).replace(/0+$/, '')
        const title = paid < parts ? `${left} BTC is still due` : 'Your payment has arrived'
        const happened = eventually(async () => {
          const state = await fetch(`${fixture().platform.baseUrl}/pay/${id}/state`)
          return (await state.text()).includes(title)
        })
        for (let cuts = 0; cuts < CUTS / parts; cuts += 1) {
          proxy.cut()
          await sleep(50)
        }
        await happened
        await says(page, title, RIGHT_WITHIN_MS)
      }
      await page.close()
      await proxy.close()
    })

    test('says that an address belongs to no order', async () => {
      const { id } = await newOrder()
      const page = await openOrder(`${id.slice(0, -4)}0000`)
      await says(page, 'Payment not found')
      expect(await violationsOf(page)).toEqual([])
      await page.close()
    })
  })
