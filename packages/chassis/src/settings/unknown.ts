import { distance } from 'fastest-levenshtein'
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

/** The known setting with the fewest changed letters, at most `atMost`. Other lengths cannot be that near. */
const nearest = (name: string, atMost: number): string | undefined =>
  KNOWN_SETTINGS.filter((each) => Math.abs(each.length - name.length) <= atMost)
    .map((each) => ({ each, changed: distance(name, each) }))
    .filter(({ changed }) => changed <= atMost)
    .sort((a, b) => a.changed - b.changed)[0]?.each

const faultOf = (variable: string): string | null => {
  const name = variable.replace(/_FILE$/, '')
  const isOurs = prefixes.has(prefixOf(name))
  const intended = isOurs
    ? nearest(name, Math.floor(name.length / 2))
    : name.length >= MIN_LENGTH
      ? nearest(name, MAX_DISTANCE)
      : undefined
  if (!isOurs && intended === undefined) return null
  const suggestion = intended === undefined ? 'see docs/reference/settings.md' : `did you mean ${intended}?`
  return `${variable} is not a setting: ${suggestion}`
}

/** Suggests the intended setting for each variable that looks like a setting of the platform but is unknown. */
export const unknownSettings = (env: NodeJS.ProcessEnv, own: readonly string[]): string[] =>
  Object.entries(env).flatMap(([name, value]) => {
    const isKnown = [name, name.replace(/_FILE$/, '')].some((each) => known.has(each) || own.includes(each))
    return isKnown || value === undefined || value === '' ? [] : (faultOf(name) ?? [])
  })
