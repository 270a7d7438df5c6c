import { createHmac } from 'node:crypto'
import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { BROWSER } from '../../sandbox/tests/browser.ts'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { SAMPLE_CASE, uploadSample } from '@causeway/scenario'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { newPartner, signUp, claimPlatform, type ClaimedPlatform } from './platform.ts'
import { PAGE_TIMEOUT_MS } from '../screens/browser.ts'

export const PDF = {
  name: 'paper.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
}
/** One white pixel. */
export const PNG = {
  name: '<img src=x onerror=alert(1)>.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
    'base64',
  ),
}

/** Shared by the suites of one file: one platform, one partner, one browser. */
export const running = {} as {
  platform: ClaimedPlatform
  partner: Awaited<ReturnType<typeof newPartner>>
  browser: Browser
}
export const browserErrors: string[] = []
let pages: Page[] = []

/** Starts the platform, the partner and the browser for the suites of the calling file. */
export const useOnboarding = () => {
  beforeAll(async () => {
    const platform = await claimPlatform()
    const partner = await newPartner(platform, {
      name: 'Shops & Söhne <b>',
      default_capabilities: ['payments.crypto', 'refunds'],
    })
    Object.assign(running, { platform, partner })
    if (BROWSER === null) return
    const args = ['--no-sandbox', '--disable-dev-shm-usage']
    running.browser = await chromium.launch({ executablePath: BROWSER, args, timeout: PAGE_TIMEOUT_MS })
  })
  afterAll(async () => {
    if (BROWSER !== null) await running.browser.close()
    running.platform.discard()
  })
  afterEach(async () => {
    await Promise.all(pages.map((page) => page.close()))
    pages = []
  })
}

export const newLink = async (customerId: string, body: object = {}) =>
  (await running.partner.causeway.createOnboardingLink({ customerId, body })).onboarding_link

export const open = async (address: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await running.browser.newPage(options)
  pages.push(page)
  page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  // Some steps expect a 4xx, which the browser logs as a resource that failed to load.
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) browserErrors.push(message.text())
  })
  page.on('pageerror', (error) => browserErrors.push(error.message))
  await page.goto(address)
  return page
}
export const expectHeading = (page: Page, title: string) =>
  page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const follow = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).first().click()

/** Checks a page with axe, in light and in dark. */
export const expectAccessible = async (page: Page) => {
  expect(await violationsOf(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOf(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

export const verificationOf = async (customerId: string) =>
  (await running.partner.causeway.getCustomerVerification({ customerId })).verification
export const documentsOf = async (customerId: string) =>
  (await running.partner.causeway.listDocuments({ customerId })).documents

/** Creates a customer with a pending verification, and an onboarding link for it. */
export const newPendingCustomer = async () => {
  const { customerId, merchantId } = await signUp(running.partner.causeway)
  for (const type of REQUIRED_DOCUMENT_TYPES) await uploadSample(running.partner.causeway, customerId, type)
  await running.partner.causeway.submitVerification({ customerId, body: SAMPLE_CASE })
  return { customerId, merchantId, url: (await newLink(customerId)).url }
}
/** Returns the form token of a customer's new link. */
export const formTokenOf = async (customerId: string) => {
  const { url } = await newLink(customerId)
  const token = url.slice(url.lastIndexOf('/') + 1)
  return { url, value: createHmac('sha256', token).update('form').digest('base64url') }
}
export const decide = async (customerId: string, path: string, body?: object) => {
  const { verification_id: id } = await verificationOf(customerId)
  dataOf(await running.platform.staff.post(`/api/operator/verifications/${id}/${path}`, body))
}
