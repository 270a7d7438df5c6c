import type { Random } from '../../soak/random.ts'

/** A control of a form, as the page has it. */
export type Field = Readonly<{ name: string; type: string; options: readonly string[] }>

/** Values that a person knows when filling in forms. */
export type Knowledge = Readonly<{
  /** A receiver on this machine: no other address is ever entered. */
  receiverUrl: string
  /** Ids that the person could know. */
  ids: readonly string[]
  /** The staff key, for the page that asks for it. */
  key?: string
}>

/** Markup that runs, or leaves an element that nothing else makes, where it is taken for markup. */
const MARKUP = `"'><walk-mark>x</walk-mark><script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>`
const LONG = 4_000

const HOSTILE: readonly string[] = [
  '',
  ' ',
  MARKUP,
  `javascript:alert(1)//${MARKUP}`,
  '\u{1f600}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u202egnirts\u0000\ufeff',
  `x${'y'.repeat(LONG)}`,
  '\u{1f600}'.repeat(LONG / 4),
  "'; DROP TABLE partners; --",
  '-1',
  '1e400',
  '../../console',
  '__proto__',
]

const VALID: readonly (readonly [name: RegExp, values: (known: Knowledge, random: Random) => string])[] = [
  [/^key$/, ({ key = 'staff_unknown' }) => key],
  [/email/, (_, random) => `walk-${random.integer(1, 9)}@example.com`],
  [/url/, ({ receiverUrl }) => receiverUrl],
  [/(_at|_for|since|until)$/, (_, random) => `2026-0${random.integer(1, 9)}-01T10:00:00Z`],
  [/date/, (_, random) => `19${random.integer(60, 99)}-04-30`],
  [/(cents|seconds|hours|percent|limit|second)$/, (_, random) => String(random.integer(0, 100))],
  [/currency/, () => 'EUR'],
  [/(^q$|_id$|Id$|^target$|address)/, ({ ids }, random) => random.pick(ids)],
  [/parties/, () => 'provider: Causeway\nmerchant: You'],
  [/jwks/, () => '{"keys":[]}'],
  [/.*/, (_, random) => `Word ${random.integer(1, 99)}`],
]

const validOf = ({ name, type }: Field, known: Knowledge, random: Random): string => {
  if (type === 'date') return `19${random.integer(60, 99)}-04-30`
  if (type === 'datetime-local') return `2026-0${random.integer(1, 9)}-01T10:00`
  return VALID.find(([pattern]) => pattern.test(name))?.[1](known, random) ?? ''
}

/** Chooses the input for a field; null leaves it unchanged. */
export const valueOf = (field: Field, known: Knowledge, random: Random): string | null => {
  switch (field.type) {
    case 'hidden':
      return random.chance(0.04) ? random.pick(HOSTILE) : null
    case 'file':
      return null
    case 'checkbox':
    case 'radio':
      return random.chance(0.5) ? 'true' : 'false'
    case 'select':
      return field.options.length === 0 ? null : random.pick(field.options)
    default:
      return random.chance(0.6) ? validOf(field, known, random) : random.pick(HOSTILE)
  }
}

type NamedFile = Readonly<{ name: string; mimeType: string; buffer: Buffer }>

/** Files to upload: a PDF, a picture with markup as its name, and one that is neither. */
export const FILES: readonly NamedFile[] = [
  { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') },
  {
    name: `${MARKUP.replaceAll('/', '')}.png`,
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
      'base64',
    ),
  },
  { name: `${'n'.repeat(240)}.pdf`, mimeType: 'application/pdf', buffer: Buffer.from('no PDF') },
]
