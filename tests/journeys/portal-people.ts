import { eventually } from '@causeway/chassis/testing'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { readMails } from '../../sandbox/src/testing/index.ts'
import { PAGE_TIMEOUT_MS } from '../screens/browser.ts'
import { openConsole } from '../screens/console-page.ts'
import { newCustomer, newPartner, type SharedPlatform } from './platform.ts'

type Fixture = Readonly<{ platform: SharedPlatform; browser: Browser }>

let count = 0
const newEmail = (name: string) => `${name}-${Date.now()}-${(count += 1)}@shop.example`

/** People of a partner who sign in by e-mail: each in a separate browser (decisions §56). */
export const describePortalPeople = (fixture: () => Fixture): void =>
  describe('people with a sign-in', () => {
    const contexts: BrowserContext[] = []
    const browserErrors: string[] = []
    const checked = new Set<string>()
    let partnerId: string

    beforeEach(async () => {
      ;({ partnerId } = await newPartner(fixture().platform))
    })
    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      expect(browserErrors.splice(0).filter((text) => !text.startsWith('Failed to load resource'))).toEqual(
        [],
      )
    })

    const newPage = async (): Promise<Page> => {
      const context = await fixture().browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      page.setDefaultTimeout(PAGE_TIMEOUT_MS)
      page.on('console', (message) => browserErrors.push(message.text()))
      page.on('pageerror', (error) => browserErrors.push(error.message))
      return page
    }
    const portal = () => `${fixture().platform.baseUrl}/portal`
    /** Checks each page, and each state of it that a test names, once. */
    const hasNoFault = async (page: Page, state = '') => {
      const name = `${await page.title()} ${state}`
      if (checked.has(name)) return
      checked.add(name)
      expect([name, await violationsOf(page)]).toEqual([name, []])
    }
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

    /** Follows the link of the newest mail in the sandbox's inbox, once `mails` with this subject have arrived. */
    const followMail = async (page: Page, email: string, subject: string, mails = 1) => {
      const { sandboxUrl } = fixture().platform
      await eventually(
        async () =>
          (await readMails(sandboxUrl, email)).filter((mail) => mail.subject === subject).length === mails,
      )
      await page.goto(`${sandboxUrl}/mail`)
      await hasNoFault(page)
      await page
        .getByRole('row')
        .filter({ hasText: email })
        .getByRole('link', { name: subject })
        .first()
        .click()
      await hasNoFault(page)
      await page.locator('a[rel="noreferrer"]').click()
      await hasNoFault(page)
    }
    const accept = async (page: Page, email: string) => {
      await followMail(page, email, 'Invitation to the portal')
      await press(page, 'Accept the invitation')
      await heading(page, 'Invitation accepted')
      await hasNoFault(page)
    }
    const askForLink = async (page: Page, email: string) => {
      await page.goto(`${portal()}/sign-in`)
      await hasNoFault(page)
      await page.getByLabel('E-mail address').fill(email)
      await press(page, 'Send a sign-in link')
      await heading(page, 'Check your e-mail')
      await hasNoFault(page)
    }
    const signIn = async (page: Page, email: string, mails = 1) => {
      await askForLink(page, email)
      await followMail(page, email, 'Sign in to the portal', mails)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await heading(page, 'Webhooks')
    }

    test('lets an owner invite a viewer, who reads and changes nothing until removed', async () => {
      const { platform, browser } = fixture()
      const [owner, viewer] = [newEmail('owner'), newEmail('viewer')]
      const staff = await openConsole(browser, { baseUrl: platform.baseUrl, key: platform.operatorKey })
      await staff.open(`/console/partners/${partnerId}/people`)
      await staff.page.getByLabel('E-mail address').fill(owner)
      await staff.page.getByLabel('Role', { exact: true }).selectOption('owner')
      await press(staff.page, 'Send the invitation')
      await staff.page.getByRole('row').filter({ hasText: owner }).waitFor()
      await hasNoFault(staff.page)
      expect(staff.errors).toEqual([])
      await staff.close()

      const [ownerPage, viewerPage] = [await newPage(), await newPage()]
      await accept(ownerPage, owner)
      await signIn(ownerPage, owner)
      await ownerPage.goto(`${portal()}/people`)
      await ownerPage.getByLabel('E-mail address').fill(viewer)
      await press(ownerPage, 'Send the invitation')
      await ownerPage.getByRole('row').filter({ hasText: viewer }).waitFor()
      await hasNoFault(ownerPage, 'with two people')
      await accept(viewerPage, viewer)
      await signIn(viewerPage, viewer)
      await hasNoFault(viewerPage)
      expect(await viewerPage.getByRole('link', { name: 'Add a webhook' }).count()).toBe(0)
      expect(await viewerPage.getByRole('link', { name: 'People' }).count()).toBe(0)
      expect((await viewerPage.goto(`${portal()}/webhooks/new`))?.status()).toBe(403)
      expect((await viewerPage.goto(`${portal()}/people`))?.status()).toBe(404)

      await ownerPage.reload()
      const row = ownerPage.getByRole('row').filter({ hasText: viewer })
      await row.getByText('Active').waitFor()
      await row.getByRole('button', { name: 'Remove…' }).click()
      await ownerPage.getByRole('dialog', { name: `Remove ${viewer}?` }).waitFor()
      await hasNoFault(ownerPage, 'with a dialog')
      await press(ownerPage, 'Remove the person')
      await ownerPage.getByRole('row').filter({ hasText: viewer }).waitFor({ state: 'detached' })
      await viewerPage.goto(portal())
      await heading(viewerPage, 'Sign in to the portal')
    })

    test('mails an owner about a new requirement, and lets the owner switch such notices off', async () => {
      const { platform } = fixture()
      const email = newEmail('noticed')
      const { partnerId: ownPartnerId, causeway } = await newPartner(platform)
      const invited = { email, role: 'owner' }
      dataOf(await platform.staff.post(`/api/operator/partners/${ownPartnerId}/people`, invited))
      const page = await newPage()
      await accept(page, email)
      const raiseFor = async (message: string) => {
        const { merchantId } = await newCustomer(platform, causeway)
        const path = `/api/operator/merchants/${merchantId}/requirements`
        dataOf(await platform.staff.post(path, { kind: 'clarification', message }))
        return merchantId
      }
      const merchantId = await raiseFor('A copy of the lease')
      const notices = async () =>
        (await readMails(platform.sandboxUrl, email)).filter(({ subject }) => subject === 'New requirement')
      await eventually(async () => (await notices()).length === 1)
      const [notice] = await notices()
      expect([notice?.text.includes(merchantId), notice?.source.includes('lease')]).toEqual([true, false])
      await signIn(page, email)
      await followMail(page, email, 'New requirement')
      await heading(page, 'Event log')
      await page.getByRole('link', { name: 'requirement.created' }).first().waitFor()

      await page.goto(`${portal()}/sessions`)
      await page.getByLabel('A new requirement').uncheck()
      await press(page, 'Save')
      await hasNoFault(page, 'with notices')
      expect(await page.getByLabel('A new requirement').isChecked()).toBe(false)
      expect(await page.getByLabel('A payout that came back').isChecked()).toBe(true)
    })

    test('opens a link only in the browser that asked for it, and lists and ends the sessions of its person', async () => {
      const email = newEmail('person')
      dataOf(
        await fixture().platform.staff.post(`/api/operator/partners/${partnerId}/people`, {
          email,
          role: 'developer',
        }),
      )
      const [first, second] = [await newPage(), await newPage()]
      await accept(first, email)
      await askForLink(first, email)
      await followMail(second, email, 'Sign in to the portal')
      await heading(second, 'Open the link in the browser that asked for it')
      await followMail(first, email, 'Sign in to the portal')
      await first.getByRole('button', { name: 'Sign in' }).click()
      await heading(first, 'Webhooks')
      await first.getByRole('link', { name: 'Add a webhook' }).waitFor()

      await followMail(second, email, 'New sign-in to the portal')
      await heading(second, 'Sign in to the portal')
      await signIn(second, email, 2)
      await second.goto(`${portal()}/sessions`)
      await hasNoFault(second)
      expect(await second.getByRole('row').count()).toBe(3)
      await second.getByRole('button', { name: 'End' }).last().click()
      await second.getByRole('row').nth(2).waitFor({ state: 'detached' })
      const still = await Promise.all(
        [first, second].map(async (page) => {
          await page.goto(portal())
          return page.getByRole('heading', { level: 1 }).textContent()
        }),
      )
      expect(still.toSorted()).toEqual(['Sign in to the portal', 'Webhooks'])
    })
  })
