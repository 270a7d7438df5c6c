import { createHash } from 'node:crypto'
import { pageSecurity, type FlatHeaders } from '../http/security-headers.ts'
import type { ApiDocument } from './document.ts'
import { referenceModelOf, type Chapter, type Field, type ReferenceOperation } from './model.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code { font-family: ui-monospace, monospace; font-size: .9em }
nav ul { columns: 2; padding: 0; list-style: none }
section { border-top: 1px solid var(--line); margin-top: 2rem }
h3 code { background: var(--soft); padding: .2em .4em; border-radius: .3em }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-size: .9rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line) }
`

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
/** Escapes HTML and renders text in backticks as code. */
const inline = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = (tag: string, row: readonly string[]) =>
    row.map((text) => `<${tag}>${inline(text)}</${tag}>`).join('')
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')
  return `<table><thead><tr>${cells('th', head)}</tr></thead><tbody>${body}</tbody></table>`
}

const fieldTable = (title: string, fields: readonly Field[]): string =>
  fields.length === 0
    ? ''
    : `<h4>${title}</h4>${table(
        ['Field', 'Type', 'Required', 'Notes'],
        fields.map(({ name, type, required, notes }) => [
          `\`${name}\``,
          type,
          required ? 'yes' : 'no',
          notes,
        ]),
      )}`

const anchorOf = (operation: ReferenceOperation): string =>
  `${operation.method}${operation.path}`.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase()

const renderOperation = (operation: ReferenceOperation): string => `
<h3 id="${anchorOf(operation)}">${operation.method} <code>${escapeHtml(operation.path)}</code></h3>
<p>${inline(operation.summary)}. Needs: ${inline(operation.access)}. ${inline(operation.description)}</p>
${fieldTable('Parameters', operation.parameters)}
${fieldTable('Request', operation.request)}
${fieldTable('Response', operation.response)}
${table(
  ['Status', 'Meaning'],
  operation.answers.map(({ status, description }) => [status, description]),
)}`

const renderChapter = (chapter: Chapter): string => `
<section><h2>${escapeHtml(chapter.name)}</h2><p>${inline(chapter.description)}</p>
${chapter.operations.map(renderOperation).join('')}</section>`

const renderContents = (chapters: readonly Chapter[]): string => {
  const links = chapters
    .flatMap((chapter) => chapter.operations)
    .map(
      (operation) =>
        `<li><a href="#${anchorOf(operation)}">${operation.method} ${escapeHtml(operation.path)}</a></li>`,
    )
  return `<nav><ul>${links.join('')}</ul></nav>`
}

/** The reference as one page that loads nothing: no script, and one inline style sheet that the policy allows by its hash. */
export const renderPage = (
  documents: readonly ApiDocument[],
): Readonly<{ html: string; security: FlatHeaders }> => {
  const chapters = documents.flatMap(referenceModelOf)
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API reference</title><style>${STYLE}</style></head>
<body><h1>API reference</h1>
<p>The machine-readable form is <a href="/openapi.json">/openapi.json</a>. Every success of an operation is
<code>{request_id, api_version, data}</code>; the tables show the fields of <code>data</code>.</p>
${renderContents(chapters)}
${chapters.map(renderChapter).join('')}
</body></html>
`
  return { html, security: pageSecurity(`sha256-${createHash('sha256').update(STYLE).digest('base64')}`) }
}
