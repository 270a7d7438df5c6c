/** `pnpm generate:screenshots`: makes the pictures in docs/screens, on a separate platform with fictional people. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@causeway/chassis/testing'
import type { PartnerClient } from '@causeway/client'
import type { Page } from 'playwright-core'
import { submitCase } from '@causeway/scenario'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { onePagePdf } from '../journeys/one-page-pdf.ts'
import { newCustomer, newPartner, orderBody, signUp, startTestPlatform } from '../journeys/platform.ts'
import { newPortalLink, startPlainReceiver } from '../journeys/portal-visitor.ts'
import { openBrowser } from './browser.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'screens')
const SIZE = { width: 1_100, height: 800 }
/** Size of a phone's screen. */
const NARROW = { width: 480, height: 800 }

type Stage = Readonly<{
  page: Page
  shoot: (name: string, size?: typeof SIZE) => Promise<void>
}>
type TestPlatform = Awaited<ReturnType<typeof startTestPlatform>>
type Partner = Awaited<ReturnType<typeof newPartner>>

/** A case that waits for review. */
const newPendingCase = async (causeway: PartnerClient): Promise<string> => {
  const { customerId } = await signUp(causeway)
  return (await submitCase(causeway, customerId, onePagePdf())).verification_id
}

const shootConsole = async ({ page, shoot }: Stage, platform: TestPlatform, caseId: string) => {
  await page.goto(`${platform.baseUrl}/console/sign-in`)
  await page.getByLabel('Staff key').fill(platform.operatorKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Work', exact: true }).waitFor()
  await shoot('console-work')
  await page.goto(`${platform.baseUrl}/console/cases/${caseId}`)
  await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor()
  await shoot('console-case')
}

const shootPortal = async ({ page, shoot }: Stage, platform: TestPlatform, owner: string) => {
  await page.goto(await newPortalLink(platform, owner))
  await page.getByRole('button', { name: 'Open the portal' }).click()
  await page.getByRole('link', { name: '/hooks' }).first().click()
  await shoot('portal-webhook')
  await page.getByRole('link', { name: 'verification.approved' }).first().click()
  await page.getByRole('heading', { name: 'Attempts' }).waitFor()
  await shoot('portal-delivery')
}

const shootOnboarding = async ({ page, shoot }: Stage, { causeway }: Partner) => {
  const { customerId } = await signUp(causeway)
  const { onboarding_link: link } = await causeway.createOnboardingLink({ customerId })
  await page.goto(link.url)
  await shoot('onboarding', NARROW)
  await page.goto(`${link.url}/details/business`)
  await shoot('onboarding-business', NARROW)
}

const shootPayment = async (
  { page, shoot }: Stage,
  platform: TestPlatform,
  { causeway }: Partner,
  customerId: string,
) => {
  const { order } = await causeway.createCryptoOrder({ customerId, body: orderBody('Order 1024') })
  await page.goto(`${platform.baseUrl}/pay/${order.id}`)
  await page.getByRole('img').first().waitFor()
  await shoot('payment-page', NARROW)
}

const openStage = async (browser: Awaited<ReturnType<typeof openBrowser>>): Promise<Stage> => {
  const page = await browser.newPage()
  return {
    page,
    async shoot(name, size = SIZE) {
      await page.setViewportSize(size)
      await page.screenshot({ path: join(FOLDER, `${name}.png`) })
    },
  }
}

const platform = await startTestPlatform()
const receiver = await startPlainReceiver()
const browser = await openBrowser()
try {
  mkdirSync(FOLDER, { recursive: true })
  const partner = await newPartner(platform, {
    name: 'Harbour Shops',
    default_capabilities: ['payments.crypto', 'refunds'],
  })
  const owner = `partners/${partner.partnerId}`
  dataOf(await platform.staff.post(`/api/operator/${owner}/webhooks`, { url: receiver.url }))
  receiver.answerWith(422, '{"error":"unknown field: data.customerId"}')
  const { customerId } = await newCustomer(platform, partner.causeway)
  await eventually(() => receiver.hits.length > 0)
  const caseId = await newPendingCase(partner.causeway)
  const stage = await openStage(browser)
  await shootConsole(stage, platform, caseId)
  await shootPortal(stage, platform, owner)
  await shootOnboarding(stage, partner)
  await shootPayment(stage, platform, partner, customerId)
} finally {
  await browser.close()
  await receiver.stop()
  await platform.stop()
}
