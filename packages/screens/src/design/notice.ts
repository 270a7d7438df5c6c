import { EMPTY, html, type Html, type Part } from './html.ts'

export type Tone = 'neutral' | 'good' | 'warning' | 'bad'

/** A box that says what happened or what to do. A `bad` one is announced at once. */
export const notice = (tone: Tone, title: string, text: Part = EMPTY): Html => html`
  <div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'note'}">
    <p class="title">${title}</p>
    ${text !== EMPTY && html`<p>${text}</p>`}
  </div>
`

/** What stands where a list has nothing, with what one may do about it. */
export const emptyState = (text: string, action: Html = EMPTY): Html => html`
  <div class="empty">
    <p>${text}</p>
    ${action}
  </div>
`

/** A state in one or two words. The words say it; the colour only repeats it. */
export const statusTag = (tone: Tone, text: string): Html => html`<span class="tag ${tone}">${text}</span>`
