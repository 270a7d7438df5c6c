import { eventually } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { fillIn, addPerson } from './onboarding-walk.ts'
import {
  decide,
  follow,
  formTokenOf,
  expectAccessible,
  newLink,
  newPendingCustomer,
  open,
  press,
  running,
  expectHeading,
  verificationOf,
} from './onboarding-fixture.ts'
import { signUp } from './platform.ts'

/** Changes while pages are open: other devices, reloads, links that expire. */
export const describeDevices = (): void => {
  test('keeps the changes of two concurrent devices, and shows a field that both changed', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const { url } = await newLink(customerId)
    const [one, other] = [
      await open(`${url}/details/contact`, { javaScriptEnabled: false }),
      await open(`${url}/details/contact`, { javaScriptEnabled: false }),
    ]
    await fillIn(one, { 'First name': 'Ada' })
    await press(one, 'Save and continue')
    await one.getByText('Saved. Complete these fields before you submit').waitFor()
    await fillIn(other, { 'First name': 'Grace', 'Last name': 'Hopper' })
    await press(other, 'Save and continue')
    await other.getByText('Another device changed this to “Ada” in the meantime').first().waitFor()
    expect((await verificationOf(customerId)).contact).toMatchObject({
      first_name: 'Ada',
      last_name: 'Hopper',
    })
    expect(await other.getByLabel('First name').inputValue()).toBe('Grace')
    await press(other, 'Save and continue')
    await other.getByText('Saved. Complete these fields before you submit').waitFor()
    expect((await verificationOf(customerId)).contact).toMatchObject({
      first_name: 'Grace',
      last_name: 'Hopper',
    })

    await one.goto(`${url}/people/directors/new`)
    await other.goto(`${url}/people/directors/new`)
    await addPerson(one, 'Ada Example')
    await addPerson(other, 'Grace Example')
    const names = async () => (await verificationOf(customerId)).directors.map(({ full_name: name }) => name)
    expect(await names()).toEqual(['Ada Example', 'Grace Example'])
    await one.goto(`${url}/people/directors/1`)
    await other.getByRole('button', { name: 'Remove Ada Example' }).click()
    await other.getByText('Ada Example').waitFor({ state: 'detached' })
    await fillIn(one, { 'Full name': 'Grace Hopper' })
    await press(one, 'Save')
    await one.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    expect(await names()).toEqual(['Grace Hopper'])

    const { url: address, value } = await formTokenOf(customerId)
    const people = ['One', 'Two', 'Three', 'Four']
    const added = people.map((name) =>
      fetch(`${address}/people/directors/new`, {
        method: 'POST',
        body: new URLSearchParams({ form_token: value, full_name: name }),
        redirect: 'manual',
      }),
    )
    for (const answer of added) expect((await answer).status).toBe(303)
    expect((await names()).toSorted()).toEqual(['Grace Hopper', ...people].toSorted())
  })

  test('shows what another device changed instead of submitting the last page', async () => {
    const { customerId, url } = await newPendingCustomer()
    await decide(customerId, 'reject', { rejection_reason: 'information_mismatch' })
    const page = await open(`${url}/review`)
    const business = { legal_name: 'Unseen Ltd' }
    await running.partner.causeway.submitVerification({
      customerId,
      body: { business, consent: { version: null } },
    })
    await page.getByLabel('The information that I entered is true', { exact: false }).check()
    await press(page, 'Submit')
    await page.getByText('Nothing was submitted: the data changed in the meantime').waitFor()
    await page.getByText('Unseen Ltd').waitFor()
    await expectAccessible(page)
    expect((await verificationOf(customerId)).status).toBe('rejected')
    await page.getByLabel('The information that I entered is true', { exact: false }).check()
    await press(page, 'Submit')
    await page.getByText('We are reviewing your application.').waitFor()
  })

  test('saves input immediately, and shows it after a reload and after going back', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const { url } = await newLink(customerId)
    const page = await open(`${url}/details/contact`)
    await fillIn(page, { 'First name': 'Ada', 'E-mail address': 'ada' })
    await page.getByLabel('Last name').focus()
    await page.getByRole('status').getByText('Saved').waitFor()
    expect((await verificationOf(customerId)).contact).toMatchObject({ first_name: 'Ada', email: 'ada' })
    // The partner writes a field that is not edited on this page: the page shows it and keeps it.
    const contact = { phone: '+44 20 7946 0000' }
    await running.partner.causeway.submitVerification({ customerId, body: { contact } })
    await fillIn(page, { 'Last name': 'Example' })
    await page.getByLabel('First name').focus()
    await eventually(async () => (await page.getByLabel('Phone number').inputValue()) === contact.phone)
    await page.reload()
    expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
    await press(page, 'Save and continue')
    await page.getByText('Enter an e-mail address, such as').first().waitFor()
    await expectAccessible(page)
    await follow(page, 'Overview')
    await expectHeading(page, 'Your application')
    await page.goBack()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada')
  })

  test('saves nothing over the value of another device while the user types, until the user has seen both', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const { url } = await newLink(customerId)
    const page = await open(`${url}/details/contact`)
    const contact = { first_name: 'Ada' }
    await running.partner.causeway.submitVerification({ customerId, body: { contact } })
    const stored = async () => {
      const { first_name: first, last_name: last } = (await verificationOf(customerId)).contact
      return [first, last]
    }
    await fillIn(page, { 'First name': 'Grace' })
    await page.getByLabel('Last name').focus()
    await page.getByRole('status').getByText('Not everything was saved').waitFor()
    await page.getByText('Another device changed this to “Ada” in the meantime').first().waitFor()
    await fillIn(page, { 'Last name': 'Hopper' })
    await page.getByLabel('First name').focus()
    await eventually(async () => (await stored())[1] === 'Hopper')
    expect(await stored()).toEqual(['Ada', 'Hopper'])
    await press(page, 'Save and continue')
    await page.getByText('Everything else was saved. Correct these errors').waitFor()
    expect([await page.getByLabel('First name').inputValue(), await stored()]).toEqual([
      'Grace',
      ['Ada', 'Hopper'],
    ])
    await press(page, 'Save and continue')
    await page.getByText('Saved. Complete these fields before you submit').waitFor()
    expect(await stored()).toEqual(['Grace', 'Hopper'])
  })

  test('explains what to do when a link expires during onboarding, and continues with a new one', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const first = await newLink(customerId)
    const page = await open(`${first.url}/details/contact`, { javaScriptEnabled: false })
    await fillIn(page, { 'First name': 'Ada' })
    await press(page, 'Save and continue')
    await page.getByText('Saved. Complete these fields before you submit').waitFor()
    await running.partner.causeway.endOnboardingLink({
      customerId,
      onboardingLinkId: first.onboarding_link_id,
    })
    await fillIn(page, { 'First name': 'Grace' })
    await press(page, 'Save and continue')
    await expectHeading(page, 'This link is no longer valid')
    await expectAccessible(await open(first.url))
    const { url } = await newLink(customerId)
    await page.goto(`${url}/details/contact`)
    expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
  })
}
