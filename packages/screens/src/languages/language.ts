import { readFileSync } from 'node:fs'
import { minorUnitDecimals } from '@causeway/contracts'
import type { IntlMessageFormat } from 'intl-messageformat'
import { html, type Html, type Part } from '../design/html.ts'
import type english from './messages/en.json'
import { LANGUAGES, type LanguageTag } from './tags.ts'

export type MessageId = keyof typeof english

/** Arguments of a message, by name. Tags of a rich message are functions that receive their content. */
type Values = Readonly<Record<string, string | number>>
type RichValues = Readonly<Record<string, string | number | Html | ((content: Part) => Html)>>

/** A language of the pages: its messages, and its format of numbers, currencies and times. */
export type Language = Readonly<{
  tag: LanguageTag
  direction: 'ltr' | 'rtl'
  /** Formats a message as text. */
  text: (id: MessageId, values?: Values) => string
  /** Returns a message whose arguments a script replaces. */
  template: (id: MessageId) => string
  /** Formats a message that contains markup: its text is escaped, its arguments and tags may be `Html`. */
  rich: (id: MessageId, values: RichValues) => Html
  /** Formats a plain decimal exactly, without a separator of thousands: people compare it with that of their wallet. */
  decimal: (number: string) => string
  /** Formats a fiat amount. @param amount plain decimal */
  fiat: (amount: string, currency: string) => string
  /** Formats an amount of whole euros. */
  wholeEuros: (euros: number) => string
  /** Formats a plain number, such as an example. */
  number: (value: number) => string
  /** Formats a time in UTC, so that people in different time zones read the same. @param at ISO 8601 */
  time: (at: string) => Html
  /** Name of a country. @param code two letters (ISO 3166) */
  country: (code: string) => string
  /** Compares texts in alphabetical order. */
  compare: (a: string, b: string) => number
}>

/** Characters that begin syntax of ICU MessageFormat. Messages without them are shown as they are. */
const SYNTAX = /[{<']/

/** Digits after the decimal point that are shown of an amount; more than any asset has. */
const MOST_DECIMALS = 30

type Formatter = typeof IntlMessageFormat
let formatter: Formatter | null = null

/**
 * Loads the library that formats messages with arguments. It takes 20 ms, which the start of a service does not wait for.
 * Messages without arguments, such as those of error pages, need no library.
 */
const loadFormatter = async (): Promise<void> => {
  formatter ??= (await import('intl-messageformat')).IntlMessageFormat
}

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Isolates an argument in a right-to-left sentence: an amount or a name keeps its own direction (UAX 9). */
const isolated = <V>(value: V): V | string =>
  typeof value === 'string' ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value

const isolatedValues = <V>(values: Readonly<Record<string, V>>): Record<string, V | string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)]))

const readCatalogue = (tag: LanguageTag): Readonly<Record<MessageId, string>> =>
  JSON.parse(readFileSync(new URL(`./messages/${tag}.json`, import.meta.url), 'utf8')) as Record<
    MessageId,
    string
  >

/** Formats the messages of a catalogue. Each message is parsed when it is first shown. */
const createMessages = (tag: LanguageTag) => {
  const { numbers, direction } = LANGUAGES[tag]
  const catalogue = readCatalogue(tag)
  const parsed = new Map<MessageId, IntlMessageFormat>()

  const parse = (id: MessageId): IntlMessageFormat => {
    if (formatter === null) throw new Error(`The message ${id} needs a language of loadLanguage`)
    const message = new formatter(catalogue[id], numbers)
    parsed.set(id, message)
    return message
  }
  const format = (id: MessageId, values: RichValues) => {
    const message = parsed.get(id) ?? parse(id)
    return message.format<Part>(direction === 'rtl' ? isolatedValues(values) : values)
  }
  return {
    text: (id: MessageId, values: Values = {}): string =>
      SYNTAX.test(catalogue[id]) ? (format(id, values) as string) : catalogue[id],
    template: (id: MessageId): string => catalogue[id],
    rich: (id: MessageId, values: RichValues): Html => html`${format(id, values)}`,
  }
}

/** Remembers what `make` returns for each key; creating a formatter of `Intl` takes longer than formatting. */
const remember = <V>(make: (key: string) => V): ((key: string) => V) => {
  const known = new Map<string, V>()
  return (key) => {
    const found = known.get(key) ?? make(key)
    known.set(key, found)
    return found
  }
}

const lazy = <V>(make: () => V): (() => V) => {
  const get = remember(make)
  return () => get('')
}

const createLanguage = (tag: LanguageTag): Language => {
  const { dates, numbers, direction } = LANGUAGES[tag]
  const messages = lazy(() => createMessages(tag))
  const decimals = lazy(
    () => new Intl.NumberFormat(numbers, { maximumFractionDigits: MOST_DECIMALS, useGrouping: false }),
  )
  const fiats = remember(
    (currency) =>
      new Intl.NumberFormat(numbers, {
        style: 'currency',
        currency,
        minimumFractionDigits: Math.min(minorUnitDecimals(currency) ?? 2, 2),
      }),
  )
  const euros = lazy(
    () => new Intl.NumberFormat(numbers, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }),
  )
  const plain = lazy(() => new Intl.NumberFormat(numbers))
  const times = lazy(
    () => new Intl.DateTimeFormat(dates, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  )
  const countries = lazy(() => new Intl.DisplayNames(numbers, { type: 'region' }))
  const order = lazy(() => new Intl.Collator(numbers))
  return {
    tag,
    direction,
    text: (id, values) => messages().text(id, values),
    template: (id) => messages().template(id),
    rich: (id, values) => messages().rich(id, values),
    decimal: (number) => decimals().format(number as `${number}`),
    fiat: (amount, currency) => fiats(currency).format(amount as `${number}`),
    wholeEuros: (amount) => euros().format(amount),
    number: (value) => plain().format(value),
    time: (at) => html`<time datetime="${at}">${times().format(new Date(at))} UTC</time>`,
    country: (code) => countries().of(code) ?? code,
    compare: (a, b) => order().compare(a, b),
  }
}

const englishMessages = lazy(() => readCatalogue('en'))

const languages = remember((tag) => createLanguage(tag as LanguageTag))

/** Returns a language for pages whose messages have no arguments, such as error pages. */
export const plainLanguage = (tag: LanguageTag): Language => languages(tag)

/** Returns a language, and makes sure that its messages with arguments can be formatted. */
export const loadLanguage = async (tag: LanguageTag): Promise<Language> => {
  await loadFormatter()
  return languages(tag)
}

/** True for the id of a message, for ids that are made from the schema of the onboarding. */
export const isMessageId = (text: string): text is MessageId => Object.hasOwn(englishMessages(), text)

/** The language of pages for staff and partners. */
export const ENGLISH: Language = plainLanguage('en')
