import axe from 'axe-core'
import type { Page } from 'playwright-core'

type AxeResults = Readonly<{ violations: readonly { id: string; nodes: { html: string }[] }[] }>

/** Returns the findings of axe for the page in its present state, each with its elements. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, {resultTypes: ["violations"]})')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}
