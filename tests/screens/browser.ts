import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core'
import { BROWSER } from '../../sandbox/tests/browser.ts'

/** Bound of one step in a browser: it ends a page that hangs, and is not a measurement. */
export const PAGE_TIMEOUT_MS = 240_000

const IN_PAGE = join(import.meta.dirname, 'walk', 'in-page.js')

/** A browser that finds no name but those of this machine. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: BROWSER ?? '',
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
    ],
    timeout: PAGE_TIMEOUT_MS,
  })

/** A page in a separate browser, and its faults. */
export type WatchedPage = Readonly<{
  page: Page
  context: BrowserContext
  /** Faults since the last call. */
  take: () => string[]
  /** Checks whether a response is pending that will replace the page. */
  isLeaving: () => boolean
}>

const DATA = /^(data|blob|about):/

/**
 * Opens a page and notes what no page may do: complain, break its policy, run what a person has entered, ask another host,
 * or be answered with a failure of ours.
 */
export const openWatched = async (browser: Browser, hosts: readonly string[]): Promise<WatchedPage> => {
  const context = await browser.newContext()
  await context.addInitScript({ path: IN_PAGE })
  const page = await context.newPage()
  let faults: string[] = []
  const awaited = new Set<Request>()
  page.on('console', (message) => {
    // Answers with an error are judged below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(`the browser says: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`a script fails: ${error.message}`))
  page.on('dialog', (dialog) => {
    faults.push(`a dialog opens: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.isNavigationRequest()) awaited.add(request)
    const address = request.url()
    if (!DATA.test(address) && !hosts.includes(new URL(address).host)) faults.push(`asks ${address}`)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => awaited.delete(request))
  page.on('response', (response) => {
    const status = response.status()
    const kind = response.request().resourceType()
    const isPart = !['document', 'fetch', 'xhr'].includes(kind)
    if (status >= 500 || (isPart && status >= 400)) faults.push(`${status} for the ${kind} ${response.url()}`)
  })
  return {
    page,
    context,
    take: () => {
      const taken = faults
      faults = []
      return taken
    },
    isLeaving: () => awaited.size > 0,
  }
}

/** A page that takes longer is a fault. */
/** An action that leads to no other page, such as a form that a script saves, counts as done after this time. */
const STAY_MS = 600
const POLL_MS = 20

type State = Readonly<{ isOld: boolean; isReady: boolean }>

/**
 * Acts, and waits for the next page.
 * @param isLeaving checks whether a response is pending; if not, and no page loads, continues with the current one
 */
export const actAndLoad = async (
  page: Page,
  act: () => Promise<unknown>,
  isLeaving: () => boolean = () => true,
): Promise<void> => {
  await page.evaluate('globalThis.isOld = true')
  // The page that a script runs in may be gone before it has answered.
  await act().catch(() => null)
  const startedMs = performance.now()
  for (;;) {
    const state = await page
      .evaluate<State>('({ isOld: globalThis.isOld === true, isReady: document.readyState === "complete" })')
      .catch(() => null)
    const waitedMs = performance.now() - startedMs
    if (state?.isReady === true && (!state.isOld || (waitedMs > STAY_MS && !isLeaving()))) return
    if (waitedMs > PAGE_TIMEOUT_MS) throw new Error(`No page after ${PAGE_TIMEOUT_MS} ms at ${page.url()}`)
    await page.waitForTimeout(POLL_MS)
  }
}
