import { deflateSync, crc32 } from 'node:zlib'
import { eventually } from '@causeway/chassis/testing'
import { SCOPES } from '@causeway/contracts'
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { newCustomer, newPartner, orderBody, type TestPlatform } from './platform.ts'
import { PAGE_TIMEOUT_MS } from '../screens/browser.ts'

type Fixture = Readonly<{ platform: TestPlatform; browser: Browser }>

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}

/** A PNG of 240 × 60 pixels: a dark square, a yellow band and transparency. */
const LOGO = (() => {
  const pixel = (x: number): number[] =>
    x < 60 ? [26, 26, 46, 255] : x < 180 ? [255, 212, 0, 255] : [0, 0, 0, 0]
  const row = Buffer.from([0, ...Array.from({ length: 240 }, (_, x) => pixel(x)).flat()])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([uint32(240), uint32(60), Buffer.from([8, 6, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: 60 }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
})()

/** A bright colour that no text could have on white. */
const YELLOW = '#ffd400'
const SIZES = [
  { width: 320, height: 640 },
  { width: 1_280, height: 900 },
]

/** Expects a page to be accessible and to fit, on a phone and on a desk, in the light and in the dark. */
const expectGoodEverywhere = async (page: Page): Promise<void> => {
  for (const viewport of SIZES)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      expect(await violationsOf(page)).toEqual([])
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(overflow).toBeLessThanOrEqual(0)
    }
}

/** Pages with a brand, in the browser and on the platform that its caller has started (decisions §53). */
export const describeBrandPages = (fixture: () => Fixture): void =>
  describe('pages with a brand', () => {
    const browserErrors: string[] = []
    let partner: Awaited<ReturnType<typeof newPartner>>
    let customerId: string

    beforeAll(async () => {
      const { platform } = fixture()
      partner = await newPartner(platform, { scopes: SCOPES })
      ;({ customerId } = await newCustomer(platform, partner.causeway))
      await partner.causeway.putBrand({
        body: { name: 'Acme Pay', accent_color: YELLOW, support_address: 'help@acme.example' },
      })
      await partner.causeway.putBrandLogo({ body: { content_base64: LOGO } })
    })

    const open = async (address: string): Promise<Page> => {
      const page = await fixture().browser.newPage()
      page.setDefaultTimeout(PAGE_TIMEOUT_MS)
      page.on('console', (message) => browserErrors.push(message.text()))
      page.on('pageerror', (error) => browserErrors.push(error.message))
      await page.goto(address)
      return page
    }
    const openOrder = async (reference: string, stated: object = {}) => {
      const body = { ...orderBody(reference), ...stated }
      const { order } = await partner.causeway.createCryptoOrder({ customerId, body })
      return open(`${fixture().platform.baseUrl}/pay/${order.id}`)
    }
    const logoWidth = (page: Page, name: string) =>
      page
        .getByRole('banner')
        .getByRole('img', { name })
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    const colorOf = (page: Page, selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`)

    test('show buyers the logo, the colour with readable texts, and where to get help', async () => {
      const page = await openOrder('branded')
      expect(await logoWidth(page, 'Acme Pay')).toBe(240)
      await page.getByRole('heading', { name: 'Pay Acme Pay with crypto' }).waitFor()
      expect(await colorOf(page, '.button.primary', 'backgroundColor')).toBe('rgb(255, 212, 0)')
      expect(await colorOf(page, '.button.primary', 'color')).toBe('rgb(0, 0, 0)')
      const help = page.getByRole('contentinfo').getByRole('link', { name: 'help@acme.example' })
      expect(await help.getAttribute('href')).toBe('mailto:help@acme.example')
      await expectGoodEverywhere(page)
      await page.close()
    })

    test('show buyers the shop of an order, or of a customer, before the partner’s name', async () => {
      const stated = await openOrder('stated', { shopName: 'Corner Shop' })
      await stated.getByRole('heading', { name: 'Pay Corner Shop with crypto' }).waitFor()
      expect(await stated.getByRole('banner').textContent()).toContain('Corner Shop')
      expect(await logoWidth(stated, 'Acme Pay')).toBe(240)
      await stated.close()
      await partner.causeway.putCustomerBrand({
        customerId,
        body: {
          name: 'A Shop With a Name That Is Longer Than the Screens of Phones',
          accent_color: '#7a0000',
        },
      })
      const page = await openOrder('of-customer')
      await eventually(async () => {
        await page.reload()
        return (
          (await page.getByRole('heading', { level: 1 }).textContent())?.includes('A Shop With a Name') ===
          true
        )
      })
      expect(await colorOf(page, '.button.primary', 'color')).toBe('rgb(255, 255, 255)')
      expect(await logoWidth(page, 'A Shop With a Name')).toBe(240)
      await expectGoodEverywhere(page)
      await page.close()
    })

    test('show the customer its partner’s brand in its onboarding', async () => {
      const { onboarding_link: link } = await partner.causeway.createOnboardingLink({ customerId })
      const page = await open(link.url)
      expect(await logoWidth(page, 'Acme Pay')).toBe(240)
      expect(await page.title()).toContain('Acme Pay')
      await page.getByText('Continue at Acme Pay').waitFor()
      await expectGoodEverywhere(page)
      await page.close()
    })

    test('break no rule of the browser: nothing is inline, and nothing comes from elsewhere', () => {
      expect(browserErrors).toEqual([])
    })
  })
