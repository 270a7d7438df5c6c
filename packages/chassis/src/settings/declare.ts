import { readDatabaseServers, readNatsServers } from './server-list.ts'
import {
  parseBusKeys,
  parseDurationFrom,
  parseDurationMs,
  parseKey,
  parseNumber,
  parseOrigin,
  parseUrl,
  type BusKey,
} from './values.ts'

/**
 * One setting: how its text is read, its default, and its description in the reference. `parse` throws an error whose
 * message follows the name of the setting (`must be …`) and does not repeat the text.
 */
export type Setting<T> = Readonly<{
  parse: (text: string) => T
  default?: string
  optional?: boolean
  /** True if an empty text is a value; left out: an empty setting counts as not set. */
  emptyIsValue?: boolean
  secret?: boolean
  doc: string
}>

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>
type ValueOf<S> = S extends Setting<infer T> ? (S extends { optional: true } ? T | undefined : T) : never
export type Settings<T extends SettingsTable> = { readonly [K in keyof T]: ValueOf<T[K]> }

type Base = { default?: string; doc: string }
const ANY = { min: 0, max: Number.MAX_SAFE_INTEGER }

/** How settings are declared in a service's `config.ts`. */
export const setting = {
  string: <const O extends Base & { optional?: true }>(options: O): Setting<string> & O => ({
    parse: (text) => text,
    ...options,
  }),
  oneOf: <const V extends string>(values: readonly V[], options: Base): Setting<V> => ({
    parse: (text) => {
      const found = values.find((value) => value === text)
      if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`)
      return found
    },
    ...options,
  }),
  /** Any of some values, separated by commas; none where it is empty. */
  someOf: <const V extends string, const O extends Base & { optional?: true; emptyIsValue?: true }>(
    values: readonly V[],
    options: O,
  ): Setting<readonly V[]> & O => ({
    parse: (text) => {
      const named = text.split(',').map((part) => part.trim())
      const found = values.filter((value) => named.includes(value))
      if (new Set(named).size !== found.length && text.trim() !== '')
        throw new Error(`must be a comma-separated list of ${values.join(', ')}, or empty`)
      return found
    },
    ...options,
  }),
  integer: <const O extends Base & { min?: number; max?: number; optional?: true }>(
    options: O,
  ): Setting<number> & O => ({
    parse: (text) => parseNumber(text, { ...ANY, ...options }, true),
    ...options,
  }),
  decimal: (options: Base & { min?: number; max?: number }): Setting<number> => ({
    parse: (text) => parseNumber(text, { ...ANY, ...options }, false),
    ...options,
  }),
  /** 0 asks the system for a free port. */
  port: (options: Base): Setting<number> => ({
    parse: (text) => parseNumber(text, { min: 0, max: 65_535 }, true),
    ...options,
  }),
  flag: (options: Base): Setting<boolean> => ({
    parse: (text) => {
      if (text !== 'true' && text !== 'false') throw new Error('must be true or false')
      return text === 'true'
    },
    ...options,
  }),
  durationMs: (options: Base & { minMs?: number }): Setting<number> => ({
    parse: (text) => parseDurationFrom(text, options.minMs ?? 0),
    ...options,
  }),
  durationsMs: (options: Base): Setting<readonly number[]> => ({
    parse: (text) => text.split(',').map(parseDurationMs),
    ...options,
  }),
  httpUrl: <const O extends Base & { optional?: true }>(options: O): Setting<string> & O => ({
    parse: (text) => parseUrl(text, ['http:', 'https:']),
    ...options,
  }),
  /** An address without a path, such as one that paths are appended to or that names an issuer. */
  httpOrigin: <const O extends Base & { optional?: true }>(options: O): Setting<string> & O => ({
    parse: parseOrigin,
    ...options,
  }),
  /** Addresses, separated by commas. */
  httpUrls: <const O extends Base & { optional?: true; secret?: true }>(
    options: O,
  ): Setting<readonly string[]> & O => ({
    parse: (text) => text.split(',').map((part) => parseUrl(part.trim(), ['http:', 'https:'])),
    ...options,
  }),
  postgresUrl: <const O extends Base & { optional?: true }>(options: O): Setting<string> & O => ({
    parse: (text) => {
      readDatabaseServers(text)
      return text
    },
    secret: true,
    ...options,
  }),
  natsUrl: <const O extends Base & { optional?: true }>(options: O): Setting<string> & O => ({
    parse: (text) => {
      readNatsServers(text)
      return text
    },
    secret: true,
    ...options,
  }),
  /** 32 bytes in base64. */
  key: <const O extends Base & { optional?: true }>(options: O): Setting<Buffer> & O => ({
    parse: parseKey,
    secret: true,
    ...options,
  }),
  /** Entries `<sender>><receiver>=<32 bytes in base64>`, separated by commas or white space. */
  busKeys: (options: Base): Setting<readonly BusKey[]> => ({ parse: parseBusKeys, secret: true, ...options }),
  secretText: <const O extends Base & { minLength: number; optional?: true }>(
    options: O,
  ): Setting<string> & O => ({
    parse: (text) => {
      if (text.length < options.minLength)
        throw new Error(`must have at least ${options.minLength} characters`)
      return text
    },
    secret: true,
    ...options,
  }),
}
