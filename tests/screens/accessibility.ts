import { dataOf } from '@causeway/dev-env/platform/raw-client'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Tenant } from '../contract/tenant.ts'
import type { TestPlatform } from '../journeys/platform.ts'
import { newPortalLink, signInByLink } from '../journeys/portal-visitor.ts'
import { PAGE_TIMEOUT_MS, actAndLoad } from './browser.ts'
import { newLink, tokenOf } from './isolation/parties.ts'
import { pathOf, SCREENS, type Channel, type ListedScreen } from './table.ts'
import { formTokenOf, signInAs, signInByKey, type Visitor } from './visitors.ts'

/** A part of a page, a stream, and files. */
const NO_PAGES: readonly string[] = [
  '/screens/:file',
  '/pay/:orderId/state',
  '/pay/:orderId/events',
  '/console/documents/:documentId/content',
  '/console/customers.csv',
  '/console/payments.csv',
  '/portal/payments.csv',
  '/portal/statements/:month/pdf',
  '/onboarding/:token/documents/:documentId/file',
]

type Fixture = Readonly<{ browser: Browser; platform: TestPlatform; own: Tenant }>

/** A page or an error state, and how it is brought about. */
type State = Readonly<{ name: string; show: (page: Page) => Promise<unknown> }>

type AxeResults = Readonly<{ violations: readonly { id: string; nodes: { html: string }[] }[] }>

const run = async (page: Page, options: object): Promise<string[]> => {
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}

/** Returns axe's violations in light and in dark, which differ only in colours. */
const violationsOf = async (page: Page): Promise<string[]> => {
  const light = await run(page, { resultTypes: ['violations'] })
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await run(page, { runOnly: ['color-contrast'], resultTypes: ['violations'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((violation) => `in dark, ${violation}`)]
}

/** Sends a form that no page has, as a page of ours would. */
const post = (page: Page, path: string, fields: Readonly<Record<string, string>>): Promise<void> =>
  actAndLoad(page, () =>
    page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: ${JSON.stringify(path)} })
      for (const [name, value] of Object.entries(${JSON.stringify(fields)}))
        form.append(Object.assign(document.createElement('textarea'), { name, value }))
      document.body.append(form)
      form.submit()
    })()`),
  )

type Sessions = Readonly<{
  admin: Visitor
  viewer: Visitor
  portal: Readonly<Record<Channel, Visitor>>
  linkToken: string
}>

const openSessions = async ({ platform, own }: Fixture): Promise<Sessions> => ({
  admin: await signInByKey(platform, platform.operatorKey),
  viewer: await signInAs(platform, 'viewer'),
  portal: {
    partner: await signInByLink(platform, `partners/${own.partnerId}`),
    merchant: await signInByLink(platform, `merchants/${own.ids.merchant}`),
  },
  linkToken: tokenOf((await newLink(own)).url),
})

/** Every page and every error state. What is posted comes last: it changes what pages show. */
const statesOf = ({ platform, own }: Fixture, sessions: Sessions): State[] => {
  const { baseUrl } = platform
  const { admin, viewer, portal, linkToken } = sessions
  const useCookies = (page: Page, visitors: readonly Visitor[]) =>
    page.context().addCookies(
      visitors.map(({ cookie }) => {
        const [name = '', value = ''] = cookie.split('=')
        return { name, value, url: baseUrl }
      }),
    )
  const open = (page: Page, path: string) => page.goto(baseUrl + path, { timeout: PAGE_TIMEOUT_MS })
  const opened = (path: string, channel: Channel = 'partner', staff = admin): State => ({
    name: `${path} (${staff === admin ? channel : 'viewer'})`,
    async show(page) {
      await useCookies(page, [staff, portal[channel]])
      await open(page, path)
    },
  })
  const posted = (path: string, fields: Readonly<Record<string, string>>): State => ({
    name: `${path} posted`,
    async show(page) {
      await useCookies(page, [admin, portal.partner])
      await open(page, path.startsWith('/console') ? '/console' : '/portal/sign-in')
      await post(page, path, fields)
    },
  })
  const isPage = ({ method, path }: ListedScreen) => method === 'GET' && !NO_PAGES.includes(path)
  const pages = SCREENS.filter(isPage).flatMap((screen) => {
    const channels: Channel[] = screen.entrance === 'portal' ? ['partner', 'merchant'] : ['partner']
    return channels.map((channel) =>
      opened(pathOf(screen, { tenant: own, channel, token: linkToken }), channel),
    )
  })
  const tokens = {
    console: admin.formToken,
    portal: portal.partner.formToken,
    onboarding: formTokenOf(linkToken),
    pay: '',
  }
  const forms = SCREENS.filter(({ method, path }) => method === 'POST' && !path.endsWith('/sign-out')).map(
    (screen) =>
      posted(pathOf(screen, { tenant: own, token: linkToken }), {
        form_token: screen.entrance === null ? '' : tokens[screen.entrance],
      }),
  )
  return [
    ...pages,
    opened('/console/people', 'partner', viewer),
    opened('/console/partners/prt_unknown'),
    opened('/portal/events/evt_unknown'),
    opened(`/portal/balances/order?order_key=${own.ids.fiatOrder}`, 'merchant'),
    opened(`/portal/payments/${own.ids.fiatOrder}`, 'merchant'),
    opened(`/portal/payments/${own.ids.fiatOrder}`),
    {
      name: 'a crypto order with a deposit',
      async show(page) {
        const body = { order_id: own.ids.order, amount: '0.0001' }
        dataOf(await platform.sandbox.post('/control/deposits', body))
        await opened(`/portal/balances/order?order_id=${own.ids.order}`, 'merchant').show(page)
      },
    },
    opened('/'),
    opened('/pay/ord_unknown'),
    opened(`/onboarding/${'a'.repeat(43)}`),
    posted('/console/people', { form_token: 'forged' }),
    posted('/console/people', { form_token: admin.formToken, name: 'x'.repeat(2_000_000) }),
    ...forms,
  ]
}

/** As many attempts as no address is allowed. */
const MANY = 200

/** The answer to an address that has tried too many links; the portal's and the onboarding's differ. */
const limitedStates = ({ platform }: Fixture): State[] => {
  const unknown = 'a'.repeat(43)
  const exhaust = async () => {
    for (let tries = 0; tries < MANY; tries += 1)
      if ((await fetch(`${platform.baseUrl}/onboarding/${unknown}`)).status === 429) return
    throw new Error(`No limit after ${MANY} unknown links`)
  }
  return [
    {
      name: 'too many unknown onboarding links',
      async show(page) {
        await exhaust()
        await page.goto(`${platform.baseUrl}/onboarding/${unknown}`)
      },
    },
    {
      name: 'too many unknown portal links',
      async show(page) {
        await exhaust()
        await page.goto(`${platform.baseUrl}/portal/${unknown}`)
        await post(page, `/portal/${unknown}`, {})
      },
    },
    {
      name: 'too many unknown staff keys',
      async show(page) {
        await exhaust()
        await page.goto(`${platform.baseUrl}/console/sign-in`)
        await post(page, '/console/sign-in', { key: unknown })
      },
    },
  ]
}

/** A link that was used already. */
const usedLinkState = ({ platform, own }: Fixture): State => ({
  name: 'a portal link that was used',
  async show(page) {
    const link = await newPortalLink(platform, `partners/${own.partnerId}`)
    for (let uses = 0; uses < 2; uses += 1) {
      await page.goto(link)
      await post(page, new URL(link).pathname, {})
    }
  },
})

export type Judgement = Readonly<{ states: number; violations: readonly string[] }>

/**
 * Shows every page of the gateway's table and every error state to axe.
 * @param choose picks those that are shown; all if left out
 */
export const judgeScreens = async (
  fixture: Fixture,
  choose: (states: readonly State[]) => readonly State[] = (states) => states,
): Promise<Judgement> => {
  const context: BrowserContext = await fixture.browser.newContext()
  await context.addInitScript(axe.source)
  const all = [
    ...statesOf(fixture, await openSessions(fixture)),
    usedLinkState(fixture),
    ...limitedStates(fixture),
  ]
  const states = choose(all)
  const violations: string[] = []
  // One page for all: a new one is a new process.
  const page = await context.newPage()
  for (const { name, show } of states) {
    await context.clearCookies()
    await show(page)
    for (const violation of await violationsOf(page))
      violations.push(`${name} at ${page.url()}: ${violation}`)
  }
  await context.close()
  return { states: states.length, violations }
}
