import { KNOWN_SETTINGS } from './known-settings.ts'

/** Beginnings of our names that other software uses too: only what is nearly one of our names is refused. */
const SHARED = new Set([
  'ACCESS',
  'BUS',
  'DATA',
  'DATABASE',
  'DOCUMENT',
  'ENCRYPTION',
  'EVENT',
  'GATEWAY',
  'HEALTH',
  'HTTP',
  'KEY',
  'LOG',
  'NATS',
  'OPERATOR',
  'OTEL',
  'PREVIOUS',
  'PUBLIC',
  'SERVICE',
  'SHUTDOWN',
  'SIGNING',
  'STREAM',
  'TIMEOUT',
  'UPLOADS',
  'VAULT',
])
/** More changed letters than this are another word. */
const MAX_DISTANCE = 2
/** In shorter names two letters are too much of the whole. */
const MIN_LENGTH = 8

const known = new Set<string>(KNOWN_SETTINGS)
const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('_')))
const prefixes = new Set(
  KNOWN_SETTINGS.map(prefixOf).filter((prefix) => prefix !== '' && !SHARED.has(prefix)),
)

/** Letters to insert, remove or replace (Levenshtein). */
const distanceOf = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1]
    for (const [j, other] of Array.from(b).entries())
      next.push(
        Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      )
    row = next
  }
  return row[b.length] ?? 0
}

const nearest = (name: string): Readonly<{ name: string; distance: number }> | null =>
  KNOWN_SETTINGS.filter((each) => Math.abs(each.length - name.length) <= name.length / 2)
    .map((each) => ({ name: each, distance: distanceOf(name, each) }))
    .reduce<{ name: string; distance: number } | null>(
      (best, each) => (best === null || each.distance < best.distance ? each : best),
      null,
    )

const faultOf = (variable: string): string | null => {
  const name = variable.replace(/_FILE$/, '')
  const best = nearest(name)
  const isTypo = best !== null && best.distance <= MAX_DISTANCE && name.length >= MIN_LENGTH
  if (!isTypo && !prefixes.has(prefixOf(name))) return null
  const suggestion =
    best !== null && best.distance <= name.length / 2
      ? `did you mean ${best.name}?`
      : 'see docs/reference/settings.md'
  return `${variable} is not a setting: ${suggestion}`
}

/** Suggests the intended setting for each variable that looks like a setting of the platform but is unknown. */
export const unknownSettings = (env: NodeJS.ProcessEnv, own: readonly string[]): string[] =>
  Object.entries(env).flatMap(([name, value]) => {
    const isKnown = [name, name.replace(/_FILE$/, '')].some((each) => known.has(each) || own.includes(each))
    return isKnown || value === undefined || value === '' ? [] : (faultOf(name) ?? [])
  })
