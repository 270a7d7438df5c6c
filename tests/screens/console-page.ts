import type { Browser, Page } from 'playwright-core'
import { PAGE_TIMEOUT_MS } from './browser.ts'

type Visit = Readonly<{ baseUrl: string; key: string; javaScriptEnabled?: boolean }>

/** A member of staff at the console in a separate browser. `errors`: complaints of the browser, except for error pages. */
export type ConsolePage = Readonly<{
  page: Page
  errors: readonly string[]
  open: (path: string) => Promise<unknown>
  close: () => Promise<void>
}>

/** Signs in to the console in a separate browser. */
export const openConsole = async (
  browser: Browser,
  { baseUrl, key, javaScriptEnabled = true }: Visit,
): Promise<ConsolePage> => {
  const context = await browser.newContext({ javaScriptEnabled })
  const page = await context.newPage()
  const errors: string[] = []
  page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${baseUrl}/console`)
  await page.getByLabel('Staff key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Work', exact: true }).waitFor()
  return {
    page,
    errors,
    open: (path) => page.goto(`${baseUrl}${path}`),
    close: () => context.close(),
  }
}
