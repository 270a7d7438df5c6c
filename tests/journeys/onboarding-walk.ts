import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import type { Page } from 'playwright-core'
import { follow, PDF, PNG, press, expectHeading } from './onboarding-fixture.ts'

export const fillIn = async (page: Page, texts: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label).first().fill(text)
}
const choose = async (page: Page, choices: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(choices))
    await page.getByLabel(label).first().selectOption(value)
}

const fillInBusiness = async (page: Page) => {
  await expectHeading(page, 'Your business')
  await fillIn(page, {
    'Legal name of the business': 'Example <script>alert(1)</script> Ltd',
    'Registration number': '01234567',
    'Date of incorporation': '2019-04-30',
  })
  await choose(page, { Industry: 'cbd', 'Country of registration': 'GB', 'Country of incorporation': 'GB' })
  await press(page, 'Save and continue')
}
const fillInRest = async (page: Page) => {
  await expectHeading(page, 'Registered address')
  await fillIn(page, { 'Street and number': '12 Square', City: 'London', 'Postal code': 'SW1Y' })
  await choose(page, { Country: 'GB' })
  await press(page, 'Save and continue')
  await expectHeading(page, 'Contact person')
  await fillIn(page, { 'First name': 'Ada', 'Last name': 'Example', 'E-mail address': 'ada@example.com' })
  await press(page, 'Save and continue')
  await expectHeading(page, 'Payments')
  await choose(page, {
    'Expected payments per month': 'range_1k_10k',
    'Origin of your buyers’ cards': 'mixed',
    'Payout method': 'fiat_eur_iban',
    'Who pays the service fee': 'customer_pays',
  })
  await page.getByLabel('Card', { exact: true }).check()
  await press(page, 'Save and continue')
  await expectHeading(page, 'Directors')
}
export const addPerson = async (page: Page, name: string, percent?: string) => {
  await fillIn(page, { 'Full name': name, 'Date of birth': '1985-12-10' })
  await choose(page, { Nationality: 'GB' })
  if (percent !== undefined) await fillIn(page, { 'Share of the business in percent': percent })
  await press(page, 'Save')
  await page.getByRole('link', { name, exact: true }).waitFor()
}
const uploadAll = async (page: Page, address: string) => {
  for (const type of REQUIRED_DOCUMENT_TYPES) {
    await page.goto(`${address}/documents/${type}`)
    await page
      .getByLabel('File', { exact: false })
      .first()
      .setInputFiles(type === 'director_id' ? PNG : PDF)
    await press(page, 'Upload')
    await page.getByText('Check the preview below').waitFor()
  }
}
export const send = async (page: Page, address: string) => {
  await page.goto(`${address}/review`)
  await expectHeading(page, 'Review and submit')
  await page.getByLabel('The information that I entered is true', { exact: false }).check()
  await press(page, 'Submit')
  await page.getByText('We are reviewing your application.').waitFor()
}
export const fillInAll = async (page: Page, address: string) => {
  await page.goto(`${address}/details/business`)
  await fillInBusiness(page)
  await fillInRest(page)
  await follow(page, 'Add a director')
  await addPerson(page, 'Ada Example')
  await follow(page, 'Continue')
  await follow(page, 'Add an owner')
  await addPerson(page, 'Grace Example', '62,5')
  await follow(page, 'Continue')
  await expectHeading(page, 'Documents')
  await uploadAll(page, address)
}
