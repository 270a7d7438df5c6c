import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { IntlMessageFormat } from 'intl-messageformat'
import { html } from '../design/html.ts'
import { loadLanguage } from './language.ts'
import { LANGUAGE_TAGS, LANGUAGES, type LanguageTag } from './tags.ts'

const SOURCES = join(import.meta.dirname, '..')
const catalogueOf = (tag: LanguageTag): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'messages', `${tag}.json`), 'utf8')) as Record<
    string,
    string
  >
const ENGLISH = catalogueOf('en')
const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== 'en')

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** All elements of a message, also those in the branches of plurals and in tags. */
const elementsOf = (elements: readonly Element[]): Element[] =>
  elements.flatMap((element) => [
    element,
    ...('options' in element
      ? Object.values(element.options).flatMap(({ value }) => elementsOf(value))
      : 'children' in element
        ? elementsOf(element.children)
        : []),
  ])
const parse = (tag: LanguageTag, message: string) =>
  elementsOf(new IntlMessageFormat(message, LANGUAGES[tag].numbers).getAst())

/** Types of elements that name no argument: text, and the number of a plural. */
const TEXTS: readonly number[] = [0, 7]

/** Names of a message's arguments and tags. */
const argumentsOf = (tag: LanguageTag, message: string): string[] =>
  [
    ...new Set(
      parse(tag, message).flatMap((element) =>
        TEXTS.includes(element.type)
          ? []
          : [`${'children' in element ? 'tag ' : ''}${(element as { value: string }).value}`],
      ),
    ),
  ].toSorted()

/** Plural categories that whole numbers up to 200 have in a language. */
const categoriesOf = (tag: LanguageTag): string[] => {
  const rules = new Intl.PluralRules(LANGUAGES[tag].numbers)
  return [...new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)))]
}

describe.each(OTHERS)('the catalogue %s', (tag) => {
  const catalogue = catalogueOf(tag)

  test('has exactly the messages of the English one, in its order', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(ENGLISH))
  })

  test('has no empty message, and no sentence that is still in English', () => {
    const isSentence = (text: string) => text.split(' ').length > 3
    const untranslated = Object.entries(catalogue).filter(
      ([id, text]) => text.trim() === '' || (text === ENGLISH[id] && isSentence(text)),
    )
    expect(untranslated).toEqual([])
  })

  test('has the arguments and tags of the English messages', () => {
    for (const [id, message] of Object.entries(catalogue))
      expect([id, ...argumentsOf(tag, message)]).toEqual([id, ...argumentsOf('en', ENGLISH[id] ?? '')])
  })

  test('states every plural form that a number has in the language', () => {
    for (const [id, message] of Object.entries(catalogue))
      for (const element of parse(tag, message))
        if ('pluralType' in element) {
          const missing = categoriesOf(tag).filter((category) => !element.options[category])
          expect([id, ...missing]).toEqual([id])
        }
  })
})

test('uses every message: in the sources is its id, or a template that makes it', () => {
  const sources = globSync('**/*.ts', { cwd: SOURCES })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
    .join('\n')
  const templates = [...sources.matchAll(/`([a-z]+\.[\w.]*\$\{[\w.]+\}[\w.]*)`/gi)].map(
    ([, template = '']) =>
      new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\$\{[^}]+\}/g, '[^.]+')}$`),
  )
  const isUsed = (id: string) =>
    sources.includes(`'${id}'`) ||
    templates.some((template) => template.test(id)) ||
    // Error pages make the id of an advice from that of the title.
    (id.startsWith('error.') && id.endsWith('.advice'))
  expect(Object.keys(ENGLISH).filter((id) => !isUsed(id))).toEqual([])
})

test('documents the statement of consent in every language, under the version that is stored with it', () => {
  const documented = readFileSync(
    join(import.meta.dirname, '../../../../docs/HOSTED-ONBOARDING.md'),
    'utf8',
  ).replaceAll(/ +/g, ' ')
  for (const tag of LANGUAGE_TAGS) {
    const version = `hosted-onboarding-2026-11-25${tag === 'en' ? '' : `-${tag}`}`
    expect(documented).toContain(`| \`${version}\` | ${catalogueOf(tag)['review.consent'] ?? ''} |`)
  }
})

describe('a language', () => {
  test('escapes the text of a rich message and its arguments, and keeps the markup of its tags', async () => {
    for (const tag of LANGUAGE_TAGS) {
      const { rich } = await loadLanguage(tag)
      const link = (content: Parameters<typeof html>[1]) => html`<a href="/x">${content}</a>`
      expect(rich('pay.buy.unavailable.advice', { link }).toString()).toMatch(/<a href="\/x">[^<>]+<\/a>/)
      const text = rich('pay.until', { time: '<b onclick="x">' }).toString()
      expect(text).toContain('&lt;b onclick=&quot;x&quot;&gt;')
      expect(text).not.toContain('<b')
    }
  })

  test('formats an amount of 18 decimals exactly, with the decimal separator of the language', async () => {
    const decimal = async (tag: LanguageTag) => (await loadLanguage(tag)).decimal('12345.000000000000000001')
    expect(await decimal('en')).toBe('12345.000000000000000001')
    expect(await decimal('de')).toBe('12345,000000000000000001')
    expect(await decimal('ar')).toBe('12345.000000000000000001')
  })

  test('formats currencies, times and countries as the language does', async () => {
    const german = await loadLanguage('de')
    expect(german.fiat('1234.5', 'EUR')).toBe('1.234,50\u00a0€')
    expect(german.time('2026-11-30T12:00:00.000Z').toString()).toContain('>30.11.2026, 12:00 UTC</time>')
    expect(german.country('FR')).toBe('Frankreich')
    expect((await loadLanguage('ja')).fiat('1234', 'JPY')).toBe('￥1,234')
  })

  test('isolates arguments in a right-to-left sentence', async () => {
    const { text } = await loadLanguage('ar')
    expect(text('pay.underpaid', { due: '0.5 BTC' })).toContain('\u20680.5 BTC\u2069')
  })
})
