import { EMPTY, html, type Html, type Part } from './html.ts'

export type Tone = 'neutral' | 'good' | 'warning' | 'bad'

/** A box that says what happened or what to do. Screen readers announce a `bad` notice immediately. */
export const notice = (tone: Tone, title: string, text: Part = EMPTY): Html => html`
  <div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'note'}">
    <p class="title">${title}</p>
    ${text !== EMPTY && html`<p>${text}</p>`}
  </div>
`

/** The placeholder for an empty list, with an optional action. */
export const emptyState = (text: string, action: Html = EMPTY): Html => html`
  <div class="empty">
    <p>${text}</p>
    ${action}
  </div>
`

/** A status in one or two words. The meaning must not depend on the colour alone. */
export const statusTag = (tone: Tone, text: string): Html => html`<span class="tag ${tone}">${text}</span>`
