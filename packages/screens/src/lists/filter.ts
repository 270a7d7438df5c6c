import { html, linkButton, type Html } from '../design/index.ts'
import { MAX_FILE_ROWS } from './csv.ts'

/** Reads the fields of a filter that are not empty. The URL holds them, so that a bookmark is a saved view. */
export const enteredOf = <Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
): Readonly<Partial<Record<Field, string>>> => {
  const entries = fields.flatMap((name) => {
    const value = (query.get(name) ?? '').trim()
    return value === '' ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries) as Partial<Record<Field, string>>
}

/** Returns a path with the fields of a filter, without the page of the list. */
export const withFields = (path: string, query: URLSearchParams, fields: readonly string[]): string => {
  const filter = new URLSearchParams(
    fields.flatMap((name) =>
      query
        .getAll(name)
        .map((value) => value.trim())
        .filter((value) => value !== '')
        .map((value): [string, string] => [name, value]),
    ),
  ).toString()
  return filter === '' ? path : `${path}?${filter}`
}

/** Links to the list as a file. @param path of the file, with the filter */
export const downloadLink = (path: string): Html =>
  html`<p class="actions">
    ${linkButton(path, 'Download as CSV', 'quiet')}
    <span class="hint">
      The newest ${MAX_FILE_ROWS.toLocaleString('en')} that match the filter. Enter a time in “Created before”
      to download older ones.
    </span>
  </p>`
