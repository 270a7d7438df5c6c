import { describe, expect, test } from '@jest/globals'
import { checkReferences } from './references.ts'

const PAGES = [
  {
    path: 'docs/spec/api.md',
    text: '# API\n\n## Resources\n\n### Refund (the answer)\n\n## Endpoints\n\n### Twice\n\n## Events\n\n### Twice\n',
  },
  { path: 'docs/spec/decisions.md', text: '# Decisions\n\n## 1. Conventions\n\n## 12. Webhooks\n' },
  { path: 'docs/adr/database.md', text: '# Database\n\n## ADR 0028: Statements\n\nSee ADR 0030.\n' },
  { path: 'src/part.ts', text: '' },
]

const faultsOf = (path: string, text: string): readonly string[] =>
  checkReferences([...PAGES, { path, text }], (each) => each === path).map(
    ({ line, reference, reason }) => `${line}: ${reference}: ${reason}`,
  )

describe('a section of the decisions', () => {
  test.each([
    'decisions §1',
    'decisions §1, §12 and §1',
    'Decisions §1: what the gateway answers',
    ' * the order of decisions\n * §12 holds',
    '-- as decisions\n-- §12 says',
  ])('is found: %j', (text) => {
    expect(faultsOf('src/a.ts', text)).toEqual([])
  })

  test('is reported with its line if it does not exist', () => {
    expect(faultsOf('src/a.ts', '\n\n// decisions §1 and §13')).toEqual([
      '3: §13: docs/spec/decisions.md has no section 13',
    ])
  })

  test('requires the page of a reference, except on that page', () => {
    const text = 'see §12'
    const fault = `1: §12: say of which page: \`decisions §8\`, or the standard that it is from`
    expect(faultsOf('src/a.ts', text)).toEqual([fault])
    expect(checkReferences([{ path: 'docs/spec/decisions.md', text: `## 12. Webhooks\n\n${text}` }])).toEqual(
      [],
    )
  })

  test.each(['RFC 9110 §8.6, §15.3.5', 'ISO 32000-1 §7.5.2'])(
    'is ignored if it belongs to a standard: %s',
    (text) => {
      expect(faultsOf('src/a.ts', text)).toEqual([])
    },
  )
})

describe('a heading of the specification', () => {
  test.each(['(spec: Refund)', '(spec: Refund; spec: Events)', '(spec: Endpoints, Twice)'])(
    'is found: %s',
    (text) => {
      expect(faultsOf('src/a.ts', text)).toEqual([])
    },
  )

  test('is reported if it does not exist', () => {
    expect(faultsOf('src/a.sql', '-- Payouts (spec: Payout)')).toEqual([
      '1: spec: Payout: docs/spec/api.md has no such heading',
    ])
  })

  test('is cited below its parent if it exists twice', () => {
    expect(faultsOf('src/a.ts', '(spec: Twice)')).toEqual([
      `1: spec: Twice: docs/spec/api.md has several: \`Endpoints, Twice\` or \`Events, Twice\``,
    ])
  })
})

describe('an architecture decision record', () => {
  test('is found by the heading that begins with its number', () => {
    expect(faultsOf('src/a.ts', 'ADR 0028')).toEqual([])
  })

  test.each(['0029', '0030'])('is a fault when no heading has its number: ADR %s', (number) => {
    expect(faultsOf('src/a.ts', `// as ADR ${number} says`)).toEqual([
      `1: ADR ${number}: no page in docs/adr has a heading of this number`,
    ])
  })

  test('is cited as one', () => {
    const old = 'decision 0028'
    expect(faultsOf('src/a.ts', old)).toEqual([
      `1: ${old}: write \`ADR 0028\`, or \`decisions §8\` of docs/spec/decisions.md`,
    ])
  })

  test('has a number that no other has', () => {
    const text = '# Ledger\n\n## ADR 0028: Facts\n'
    expect(faultsOf('docs/adr/ledger.md', text)).toEqual(['3: ADR 0028: another heading has this number'])
  })
})

describe('a link between pages', () => {
  test.each([
    '[a](../adr/database.md)',
    '[a](../adr/database.md#adr-0028-statements)',
    '[a](../adr)',
    '[a](../../src/part.ts)',
    '[a](#here)',
    '[a](https://example.com/none.md)',
    '`[a](none.md)`',
  ])('is followed: %s', (link) => {
    expect(faultsOf('docs/spec/page.md', `# Here\n\n${link}\n`)).toEqual([])
  })

  test.each([
    ['[a](none.md)', 'none.md: there is no docs/spec/none.md'],
    ['[a](../adr/database.md#no)', '../adr/database.md#no: docs/adr/database.md has no heading #no'],
    ['[a](#no)', '#no: docs/spec/page.md has no heading #no'],
  ])('is reported if it leads nowhere: %s', (link, fault) => {
    expect(faultsOf('docs/spec/page.md', `# Here\n\n${link}\n`)).toEqual([`3: ${fault}`])
  })

  test('is reported if it is the path of a page that does not exist', () => {
    const path = 'docs/none.md'
    expect(faultsOf('src/a.ts', `// see ${path}`)).toEqual([`1: ${path}: there is no such page`])
  })

  test('is reported if it is the path of a source that does not exist', () => {
    expect(faultsOf('docs/spec/page.md', 'see `src/part.ts` and `services/<service>/src`')).toEqual([])
    expect(faultsOf('docs/spec/page.md', 'see `services/shop/none.ts: a title`')).toEqual([
      '1: services/shop/none.ts: there is no such file or folder',
    ])
  })
})
