import { eventually } from '@causeway/chassis/testing'
import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { LANGUAGE_TAGS } from '@causeway/screens'
import { describe, expect, test } from '@jest/globals'
import { BROWSER, NO_BROWSER } from '../../sandbox/tests/browser.ts'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { SAMPLE_CASE } from '@causeway/scenario'
import { describeDevices } from './onboarding-devices.ts'
import { describeEvidence } from './onboarding-evidence.ts'
import {
  browserErrors,
  decide,
  documentsOf,
  follow,
  formTokenOf,
  expectAccessible,
  newLink,
  newPendingCustomer,
  open,
  PDF,
  press,
  running,
  expectHeading,
  useOnboarding,
  verificationOf,
} from './onboarding-fixture.ts'
import { fillInAll, send } from './onboarding-walk.ts'
import { signUp } from './platform.ts'

/** Longer than an approval holds. */
const YEAR_MS = 366 * 86_400_000

useOnboarding()

const describeWithBrowser = BROWSER === null ? describe.skip : describe

describeWithBrowser(`hosted onboarding${BROWSER === null ? ` (${NO_BROWSER})` : ''}`, () => {
  test('takes a merchant from an empty application to its approval, and back to the partner', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const { url } = await newLink(customerId, { return_url: 'https://partner.example/back' })
    const page = await open(url)
    await expectHeading(page, 'Your application')
    expect(await page.locator('.brand').textContent()).toBe('Shops & Söhne <b>')
    await page.getByText('Progress: 0 of 7 done').waitFor()
    await expectAccessible(page)
    await follow(page, 'Start')
    await expectHeading(page, 'Your business')
    await expectAccessible(page)
    await fillInAll(page, url)
    await expectAccessible(page)
    expect((await verificationOf(customerId)).status).toBe('draft')
    await send(page, url)
    await expectAccessible(page)
    expect(await verificationOf(customerId)).toMatchObject({
      status: 'pending',
      business: { legal_name: 'Example <script>alert(1)</script> Ltd', industry: 'cbd' },
      ubos: [{ full_name: 'Grace Example', ownership_percent: 62.5 }],
      consent: { version: 'hosted-onboarding-2026-11-25', marketing_opt_in: false },
    })
    await decide(customerId, 'approve')
    await page.reload()
    await page.getByText('You are approved.').waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('link', { name: 'Back to Shops & Söhne <b>' }).getAttribute('href')).toBe(
      'https://partner.example/back',
    )
  })

  test('is accessible, fits 320 px and keeps its language on every page, in each language', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const { url } = await newLink(customerId)
    const page = await open(url, { viewport: { width: 320, height: 640 } })
    const paths = ['', '/details/business', '/details/commercial', '/people/ubos', '/documents', '/review']
    for (const tag of LANGUAGE_TAGS)
      for (const path of paths) {
        await page.goto(`${url}${path}?lang=${tag}`)
        expect(await page.locator('html').getAttribute('lang')).toBe(tag)
        const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect([tag, path, excess]).toEqual([tag, path, 0])
        const links = page.locator('main a[href^="/onboarding/"]')
        for (const link of await links.all()) expect(await link.getAttribute('href')).toContain(`lang=${tag}`)
        // Axe on a page with each kind of control, not on each.
        if (path === '/details/business') expect([tag, ...(await violationsOf(page))]).toEqual([tag])
      }
  })

  test('takes a merchant through a page in a right-to-left language, and records what it has read', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const { url } = await newLink(customerId)
    await fillInAll(await open(url), url)
    const page = await open(`${url}/review?lang=ar`)
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'إرسال', exact: true }).click()
    await page.getByText('تم الإرسال.').waitFor()
    expect((await verificationOf(customerId)).consent.version).toBe('hosted-onboarding-2026-11-25-ar')
  })

  test('takes a merchant without JavaScript from an empty application to a submitted one', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const { url } = await newLink(customerId)
    const page = await open(url, { javaScriptEnabled: false })
    await fillInAll(page, url)
    await send(page, url)
    expect((await verificationOf(customerId)).status).toBe('pending')
  })

  test('says why an application was rejected, and accepts it corrected page by page', async () => {
    const { customerId, url } = await newPendingCustomer()
    await decide(customerId, 'reject', { rejection_reason: 'information_mismatch' })
    const page = await open(url)
    await page.getByText('Compare names, addresses and numbers').waitFor()
    await expectAccessible(page)
    await follow(page, 'Your business')
    await page.getByLabel('Legal name of the business').fill('Corrected Ltd')
    await press(page, 'Save and continue')
    await expectHeading(page, 'Review and submit')
    expect(await verificationOf(customerId)).toMatchObject({
      status: 'rejected',
      business: { legal_name: 'Corrected Ltd' },
    })
    await press(page, 'Submit')
    await page.getByText('Nothing was submitted. Correct these errors:').waitFor()
    await expectAccessible(page)
    await send(page, url)
    expect((await verificationOf(customerId)).status).toBe('pending')
    await page.goto(`${url}/details/business`)
    await page.getByText('You cannot change this now.').waitFor()
    await expectAccessible(page)
  })

  test('renews an expired approval on the same pages', async () => {
    const { customerId } = await newPendingCustomer()
    await decide(customerId, 'approve')
    await running.platform.sandbox.post('/control/clock', { advance_ms: YEAR_MS })
    const { url } = await newLink(customerId)
    const page = await open(url)
    await eventually(async () => {
      await page.reload()
      return page.getByText('Your approval has expired.').isVisible()
    })
    await expectAccessible(page)
    expect(await page.getByText('You are approved.').count()).toBe(0)
    await send(page, url)
    expect((await verificationOf(customerId)).status).toBe('pending')
  })

  describeEvidence()
  describeDevices()

  test('causes no error in the browser on any of the pages', () => {
    expect(browserErrors).toEqual([])
  })
})

test('changes nothing by forms with ids of another customer, without their token or from another site', async () => {
  const [own, foreign] = [await newPendingCustomer(), await newPendingCustomer()]
  const raise = { kind: 'clarification', message: 'Why?' } as const
  const { requirement } = await running.partner.causeway.raiseRequirement({
    customerId: foreign.customerId,
    body: raise,
  })
  const page = await (await fetch(own.url)).text()
  expect(page).not.toContain(foreign.customerId)
  const token = await formTokenOf(own.customerId)
  const [document] = await documentsOf(foreign.customerId)
  expect((await fetch(`${token.url}/documents/${document?.document_id ?? ''}/file`)).status).toBe(404)
  const requirementPath = `/requirements/${requirement.requirement_id}`
  const post = (path: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${token.url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(body),
      headers,
      redirect: 'manual',
    })
  const form = { form_token: token.value }
  const answered = await post(requirementPath, form)
  expect([answered.status, answered.headers.get('location')]).toEqual([303, new URL(token.url).pathname])
  for (const path of [
    '/details/business',
    '/people/directors/new',
    '/people/directors/0/remove',
    '/people/ubos/declaration',
    '/review',
    requirementPath,
  ]) {
    expect((await post(path, { form_token: 'forged' })).status).toBe(403)
    expect((await post(path, form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  }
  const file = new FormData()
  file.append('document_type', 'other')
  file.append('file', new Blob([PDF.buffer]), 'a.pdf')
  const uploaded = await fetch(`${token.url}/documents/other?form_token=forged`, {
    method: 'POST',
    body: file,
  })
  expect(uploaded.status).toBe(403)
  const read = await running.partner.causeway.getRequirement({
    customerId: foreign.customerId,
    requirementId: requirement.requirement_id,
  })
  expect(read.requirement.status).toBe('open')
  for (const { customerId } of [own, foreign]) {
    expect(await verificationOf(customerId)).toMatchObject({
      status: 'pending',
      business: SAMPLE_CASE.business,
    })
    expect(await documentsOf(customerId)).toHaveLength(REQUIRED_DOCUMENT_TYPES.length)
  }
})
