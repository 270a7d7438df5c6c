import { html, type Html } from './html.ts'

export type NavigationLink = Readonly<{ href: string; text: string; isCurrent?: boolean; count?: number }>

const link = ({ href, text, isCurrent = false, count }: NavigationLink): Html => html`
  <li>
    <a href="${href}" ${isCurrent && html`aria-current="page"`}
      >${text}${count !== undefined && html` <span class="count">${count}</span>`}</a
    >
  </li>
`

/** Navigation links. @param label name of the landmark; must be unique on the page */
export const navigation = (label: string, links: readonly NavigationLink[]): Html => html`
  <nav class="pages" aria-label="${label}">
    <ul>
      ${links.map(link)}
    </ul>
  </nav>
`
