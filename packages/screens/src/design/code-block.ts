import { html, type Html } from './html.ts'

/** Preformatted text such as JSON. Long lines scroll, also by keyboard. */
export const codeBlock = (label: string, text: string): Html =>
  html`<pre class="code" role="region" aria-label="${label}" tabindex="0"><code>${text}</code></pre>`
