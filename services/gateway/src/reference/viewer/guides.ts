import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Marked } from 'marked'
import { GUIDES, type Guide } from './guide-list.ts'
import { renderPage } from './page.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..')

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character)

/** As GitHub makes them of headings, so that links between the pages lead here too. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** The address of what a page links to; null for a file that is not shown here. */
const addressOf = (href: string): string | null => {
  if (/^(https?:|#)/.test(href)) return href
  const [path = '', fragment] = href.split('#')
  if (basename(path) === 'api.md') return '/docs'
  const guide = GUIDES.find(({ file }) => basename(file) === basename(path))
  return guide === undefined ? null : `/docs/${guide.name}${fragment === undefined ? '' : `#${fragment}`}`
}

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${escaped(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const address = addressOf(href)
      const text = this.parser.parseInline(tokens)
      return address === null ? text : `<a href="${escaped(address)}">${text}</a>`
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`
    },
    table(token) {
      const cells = (row: typeof token.header, tag: string) =>
        row
          .map((cell) => {
            // A heading without text is skipped.
            const kind = cell.text === '' ? 'td' : tag
            return `<${kind}>${this.parser.parseInline(cell.tokens)}</${kind}>`
          })
          .join('')
      const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
      const isNamed = token.header.some(({ text }) => text !== '')
      const head = isNamed ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>` : ''
      return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`
    },
  },
})

/** A guide as a page. @throws when its file is not there */
export const readGuide = async ({ name, title, file }: Guide): Promise<string> => {
  const text = await readFile(join(ROOT, file), 'utf8')
  const html = await markdown.parse(text.replaceAll(/<!--[^]*?-->/g, ''))
  return renderPage({ title: `${title} · Causeway`, main: `<main class="guide">${html}</main>`, shown: name })
}
