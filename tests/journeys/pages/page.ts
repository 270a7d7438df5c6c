import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced block of a page: commands, or a response. */
export type Block = Readonly<{ language: 'sh' | 'json'; text: string; at: string }>

/** The commands of a page and the responses that it shows, in order. */
export const blocksOf = (path: string): Block[] => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', path), 'utf8')
  return [...page.matchAll(/^```(sh|json)\n([^]*?)^```$/gm)].map((found) => ({
    language: found[1] as Block['language'],
    text: String(found[2]),
    at: `${path}:${page.slice(0, found.index).split('\n').length}`,
  }))
}

/** Values that differ each time, with their replacement for the comparison. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1_…'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/http:\/\/127\.0\.0\.1:\d+/g, '<host>'],
  [/0x[0-9a-fA-F]{40,}/g, '<hex>'],
  [/\/pay\/[\w-]+/g, '/pay/<token>'],
  [/\b[a-z]+_[0-9a-f]{16,}\b/g, '<reference>'],
]
/** Fields whose values depend on earlier requests or on time. */
const GROWING: ReadonlySet<string> = new Set([
  'order_key',
  'block_number',
  'blockNumber',
  'ageHours',
  'sequence',
])

/** A response with the values replaced that differ each time. */
export const lasting = (value: unknown, field = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => lasting(item))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, lasting(inner, name)]))
  if (value !== null && GROWING.has(field)) return '<grows>'
  if (typeof value !== 'string') return value
  return VOLATILE.reduce((text, [pattern, mark]) => text.replace(pattern, mark), value)
}
