import { StaffRole } from '@causeway/contracts'
import type { Page } from 'playwright-core'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import type { Tenant } from '../../contract/tenant.ts'
import { newCustomer, newPartner, orderBody, signUp, type TestPlatform } from '../../journeys/platform.ts'
import { newPortalLink } from '../../journeys/portal-visitor.ts'
import { marksOf } from '../isolation/parties.ts'
import type { Random } from '../../soak/random.ts'
import type { Knowledge } from './values.ts'

/** A walking person, its way in, and the texts that its pages must not show. */
export type Person = Readonly<{
  name: string
  /** Opens the person's first page, by a separate session or link. */
  enter: (page: Page) => Promise<Knowledge>
  foreign: readonly string[]
}>

export type People = Readonly<{
  platform: TestPlatform
  /** The one whose people walk. */
  own: Tenant
  /** The one of whom they may see nothing. */
  another: Tenant
  random: Random
}>

const newKeyOf = async ({ platform }: People, role: StaffRole): Promise<string> => {
  const made = await platform.staff.post('/api/operator/staff-keys', { name: `A walking ${role}`, role })
  return dataOf<{ key: string }>(made).key
}

const staff = (people: People, role: StaffRole): Person => ({
  name: role,
  foreign: [],
  async enter(page) {
    const key = await newKeyOf(people, role)
    await page.goto(`${people.platform.baseUrl}/console/sign-in`)
    await page.getByLabel('Staff key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Work', exact: true }).waitFor()
    const { own, another } = people
    const ids = [own, another].flatMap(marksOf)
    return { receiverUrl: own.receiverUrl, ids, key }
  },
})

const known = ({ own }: People): Knowledge => ({ receiverUrl: own.receiverUrl, ids: marksOf(own) })

const portal = (people: People, name: string, owner: string): Person => ({
  name,
  foreign: marksOf(people.another),
  async enter(page) {
    // A walking admin may have disabled it.
    if (owner.startsWith('partners/'))
      await people.platform.staff.patch(`/api/operator/${owner}`, { status: 'active' })
    await page.goto(await newPortalLink(people.platform, owner))
    await page.getByRole('button', { name: 'Open the portal' }).click()
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    return known(people)
  },
})

/** A partner that nobody has changed: a walking admin changes the others. */
const freshPartner = ({ platform }: People) =>
  newPartner(platform, {
    name: 'A <walk-mark> partner',
    default_capabilities: ['payments.crypto', 'refunds'],
  })

const applicant = (people: People): Person => ({
  name: 'applicant',
  foreign: marksOf(people.another),
  async enter(page) {
    const { causeway } = await freshPartner(people)
    const { customerId } = people.random.chance(0.7)
      ? await signUp(causeway)
      : await newCustomer(people.platform, causeway)
    const { onboarding_link: link } = await causeway.createOnboardingLink({ customerId })
    await page.goto(link.url)
    return known(people)
  },
})

const buyer = (people: People): Person => ({
  name: 'buyer',
  foreign: [...marksOf(people.own), ...marksOf(people.another)],
  async enter(page) {
    const { platform, random } = people
    const { causeway } = await freshPartner(people)
    const { customerId } = await newCustomer(platform, causeway)
    const { order } = await causeway.createCryptoOrder({ customerId, body: orderBody('walk') })
    if (random.chance(0.5))
      await platform.sandbox.post('/control/deposits', {
        order_id: order.id,
        confirmations: random.integer(0, 6),
      })
    await page.goto(`${platform.baseUrl}/pay/${order.id}`)
    return known(people)
  },
})

/** Everybody who has screens: staff of each role, the people of a partner and of a merchant, an applicant, a buyer. */
export const peopleOf = (people: People): readonly Person[] => [
  ...StaffRole.options.map((role) => staff(people, role)),
  portal(people, 'partner', `partners/${people.own.partnerId}`),
  portal(people, 'merchant', `merchants/${people.own.ids.merchant}`),
  applicant(people),
  buyer(people),
]
