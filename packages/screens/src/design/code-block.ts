import { html, type Html } from './html.ts'

/** Text of a machine in its own lines, such as JSON. A long line scrolls by itself, by keyboard too. */
export const codeBlock = (label: string, text: string): Html =>
  html`<pre class="code" role="region" aria-label="${label}" tabindex="0"><code>${text}</code></pre>`
