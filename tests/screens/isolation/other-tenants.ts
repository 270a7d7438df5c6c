import { expect, test } from '@jest/globals'
import type { Tenant } from '../../contract/tenant.ts'
import {
  channelOf,
  isForOthers,
  parametersOf,
  pathOf,
  screensOf,
  type Channel,
  type ListedScreen,
} from '../table.ts'
import { formTokenOf } from '../visitors.ts'
import { formOf } from './forms.ts'
import { faultsOf, isIn, leaksOf, marksOf, type Fixture, type Parties } from './parties.ts'

const CHANNELS = ['partner', 'merchant'] as const

/** Staff may answer any requirement; the case in this form's path only says where they come back to. */
const BESIDE_ITS_OWNER = '/console/cases/:verificationId/requirements/:requirementId'

/** Each id of a path alone, and all of them, replaced by another tenant's. */
const foreignPathsOf = (
  screen: ListedScreen,
  own: Tenant,
  other: Tenant,
  kinds: Readonly<{ own: Channel; other: Channel }>,
) => {
  // A month is nobody's.
  const parameters = parametersOf(screen).filter(({ name }) => name !== 'month')
  const choices = parameters.length > 1 ? [parameters, ...parameters.map((one) => [one])] : [parameters]
  return choices
    .filter((chosen) => chosen.length > 0)
    .map((chosen) => {
      const instead = Object.fromEntries(chosen.map(({ name, of }) => [name, of(other, kinds.other)]))
      return pathOf(screen, { tenant: own, channel: kinds.own, instead })
    })
}

/** Isolation of other tenants' data, by ids and on pages. */
export const describeOtherTenants = (fixture: () => Fixture, parties: () => Parties): void => {
  test.each(CHANNELS)('finds nothing of another owner in the portal for a %s’s people', async (channel) => {
    const { another, revoked } = fixture().tenants
    const { own, people, send } = parties()
    const [{ cookie, formToken }] = people[channel]
    const strangers: readonly (readonly [Tenant, Channel])[] = [
      [another, 'partner'],
      [another, 'merchant'],
      // Another merchant of the same partner.
      ...(channel === 'merchant' ? [[revoked, 'merchant'] as const] : []),
    ]
    const cases = screensOf('portal').flatMap((screen) =>
      strangers.flatMap(([tenant, other]) =>
        foreignPathsOf(screen, own, tenant, { own: channel, other }).map((path) => ({ screen, path })),
      ),
    )
    const faults = await faultsOf(cases, async ({ screen, path }) => {
      const form = { ...formOf(screen, own), form_token: formToken }
      return [`${screen.method} ${path}`, (await send(screen, path, { cookie, form })).status, 404]
    })
    expect(faults).toEqual([])
    expect(cases.length).toBeGreaterThan(40)
  })

  test.each(CHANNELS)('shows nothing of another owner on any page of a %s’s people', async (channel) => {
    const { another, revoked } = fixture().tenants
    const { own, people, send } = parties()
    const foreign = channel === 'partner' ? [another] : [another, revoked]
    const faults = await faultsOf(screensOf('portal', 'GET'), async (screen) => {
      const path = pathOf(screen, { tenant: own, channel })
      const { status, text } = await send(screen, path, { cookie: people[channel][0].cookie })
      const expected = isForOthers(screen, channel) ? 404 : 200
      return [path, [status, leaksOf(text, own, foreign)], [expected, []]]
    })
    expect(faults).toEqual([])
  })

  test('finds nothing of another owner for the holder of an onboarding link', async () => {
    const { another, revoked } = fixture().tenants
    const { own, send, linkToken } = parties()
    // An upload stores its file first; the requirement is then looked up as by the form next to it.
    const screens = screensOf('onboarding').filter(({ path }) => !path.endsWith('/document'))
    const cases = screens.flatMap((screen) =>
      parametersOf(screen)
        .filter(({ isOwned }) => isOwned)
        .flatMap(({ name, of }) =>
          [another, revoked].map((tenant) => ({ screen, instead: { [name]: of(tenant, 'partner') } })),
        ),
    )
    const faults = await faultsOf(cases, async ({ screen, instead }) => {
      const path = pathOf(screen, { tenant: own, token: linkToken, instead })
      const form = { ...formOf(screen, own), form_token: formTokenOf(linkToken) }
      const { status, headers } = await send(screen, path, { form })
      // The old address of the request page leads to the current one.
      const expected = path.endsWith('/file') ? [404, undefined] : [303, `/onboarding/${linkToken}`]
      return [`${screen.method} ${path}`, [status, headers['location']], expected]
    })
    expect(faults).toEqual([])
    expect(cases.length).toBeGreaterThan(4)
  })

  test('shows nothing of another owner on any page of an onboarding link', async () => {
    const { another, revoked } = fixture().tenants
    const { own, send, linkToken } = parties()
    const faults = await faultsOf(screensOf('onboarding', 'GET'), async (screen) => {
      const path = pathOf(screen, { tenant: own, token: linkToken })
      const { status, text } = await send(screen, path)
      // The case is approved: what changes it leads back.
      const expected = /\/(review|:place)$/.test(screen.path) ? 303 : 200
      return [path, [status, leaksOf(text, own, [another, revoked])], [expected, []]]
    })
    expect(faults).toEqual([])
  })

  test('shows its order on a payment page, and nothing else of its merchant or of others', async () => {
    const { another, revoked } = fixture().tenants
    const { own, send } = parties()
    const screens = screensOf('pay', 'GET').filter(({ path }) => !path.endsWith('/events'))
    const faults = await faultsOf(screens, async (screen) => {
      const path = pathOf(screen, { tenant: own })
      const { status, text } = await send(screen, path)
      const marks = [own, another, revoked].flatMap(marksOf).filter((mark) => mark !== own.ids.order)
      return [path, [status, marks.filter((mark) => isIn(text, mark))], [200, []]]
    })
    expect(faults).toEqual([])
    expect(screens).toHaveLength(2)
  })

  test('finds nothing of another owner below an owner in the console', async () => {
    const { another } = fixture().tenants
    const { own, admins, send } = parties()
    const [{ cookie, formToken }] = admins
    const cases = screensOf('console').flatMap((screen) => {
      if (screen.path === BESIDE_ITS_OWNER) return []
      const [, ...below] = parametersOf(screen).filter(({ isOwned }) => isOwned)
      return below.map((parameter) => ({ screen, parameter }))
    })
    const faults = await faultsOf(cases, async ({ screen, parameter: { name, of } }) => {
      const instead = { [name]: of(another, channelOf(screen, 'partner')) }
      const path = pathOf(screen, { tenant: own, instead })
      const form = { ...formOf(screen, own), form_token: formToken }
      return [`${screen.method} ${path}`, (await send(screen, path, { cookie, form })).status, 404]
    })
    expect(faults).toEqual([])
    expect(cases.length).toBeGreaterThan(30)
  })
}
