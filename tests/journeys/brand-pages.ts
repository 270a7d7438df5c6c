import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { eventually } from '@causeway/chassis/testing'
import { SCOPES } from '@causeway/contracts'
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { newCustomer, newPartner, orderBody, type TestPlatform } from './platform.ts'
import { newPortalLink } from './portal-visitor.ts'
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
      page.on('console', (message) => {
        // A form with a wrong value is shown again with this status.
        if (!message.text().includes('status of 400')) browserErrors.push(message.text())
      })
      page.on('pageerror', (error) => browserErrors.push(error.message))
      await page.goto(address)
      return page
    }
    const openOrder = async (reference: string, stated: object = {}) => {
      const body = { ...orderBody(reference), ...stated }
      const { order } = await partner.causeway.createCryptoOrder({ customerId, body })
      return open(`${fixture().platform.baseUrl}/pay/${order.id}`)
    }
    const field = (page: Page, name: string) => page.getByRole('textbox', { name: `${name} (optional)` })
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

    test('let a partner’s people set it in the portal, and say what is wrong with a file', async () => {
      const { platform } = fixture()
      const owner = await newPartner(platform)
      const page = await open(await newPortalLink(platform, `partners/${owner.partnerId}`))
      await page.getByRole('button', { name: 'Open the portal' }).click()
      await page.getByRole('navigation').getByRole('link', { name: 'Brand' }).click()
      await field(page, 'Name').fill('Portal People')
      await field(page, 'Accent colour').fill('purple')
      await field(page, 'Support address').fill('https://help.example/contact')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      expect(await field(page, 'Name').inputValue()).toBe('Portal People')
      await field(page, 'Accent colour').fill('#5b21b6')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('contentinfo').getByRole('link', { name: 'help.example' }).waitFor()
      expect(await colorOf(page, 'button.primary', 'backgroundColor')).toBe('rgb(91, 33, 182)')

      const upload = async (name: string, bytes: Buffer) => {
        await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer: bytes })
        await page.getByRole('button', { name: 'Upload' }).click()
      }
      await upload('page.png', Buffer.from('<svg onload="alert(1)">'))
      await page.getByRole('alert').getByText('Enter a PNG, JPEG or WebP image.').waitFor()
      await upload('large.png', Buffer.alloc(400 * 1024, 0x61))
      await page.getByRole('alert').getByText('Enter an image of at most 180 KiB.').waitFor()
      await upload('logo.png', Buffer.from(LOGO, 'base64'))
      await page.getByRole('button', { name: 'Delete the logo' }).waitFor()
      expect(await logoWidth(page, 'Portal People')).toBe(240)
      await expectGoodEverywhere(page)
      await page.getByRole('button', { name: 'Delete the logo' }).click()
      await page.getByText('No logo yet').waitFor()
      expect((await owner.causeway.getBrand()).brand).toEqual({
        name: 'Portal People',
        accent_color: '#5b21b6',
        support_address: 'https://help.example/contact',
        logo: null,
      })
      await page.close()
    })

    test('are a merchant’s portal and statement with the brand of its partner', async () => {
      const { platform } = fixture()
      const { customer_id: merchantId } = await partner.causeway.getCustomer({ customerId })
      const page = await open(await newPortalLink(platform, `merchants/${merchantId}`))
      await page.getByRole('button', { name: 'Open the portal' }).click()
      const month = new Date().toISOString().slice(0, 7)
      await page.goto(`${platform.baseUrl}/portal/statements/${month}`)
      expect(await logoWidth(page, 'Acme Pay')).toBe(240)
      expect(await page.getByRole('navigation').getByRole('link', { name: 'Brand' }).count()).toBe(0)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download as PDF' }).click(),
      ])
      const pdf = await readFile(await download.path())
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
      // The logo has a transparent part, which a PDF keeps as a second image.
      expect(pdf.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(2)
      const refused = await page.context().request.get(`${platform.baseUrl}/portal/brand`)
      expect(refused.status()).toBe(404)
      await page.close()
    })

    test('break no rule of the browser: nothing is inline, and nothing comes from elsewhere', () => {
      expect(browserErrors).toEqual([])
    })
  })
