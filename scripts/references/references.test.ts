import { describe, expect, test } from '@jest/globals'
import { checkReferences } from './references.ts'

const PAGES = [
  {
    path: 'docs/spec/api.md',
    text: '# API\n\n## Resources\n\n### Refund (the answer)\n\n## Endpoints\n\n### Twice\n\n## Events\n\n### Twice\n',
  },
  { path: 'docs/spec/decisions.md', text: '# Decisions\n\n## 1. Conventions\n\n## 12. Webhooks\n' },
  { path: 'docs/adr/0028-statements.md', text: '# Statements\n\n## Why so\n' },
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

  test('that does not exist is named with its line', () => {
    expect(faultsOf('src/a.ts', '\n\n// decisions §1 and §13')).toEqual([
      '3: §13: docs/spec/decisions.md has no section 13',
    ])
  })

  test('needs its page, but on the page itself', () => {
    const text = 'see §12'
    const fault = `1: §12: say of which page: \`decisions §8\`, or the standard that it is from`
    expect(faultsOf('src/a.ts', text)).toEqual([fault])
    expect(checkReferences([{ path: 'docs/spec/decisions.md', text: `## 12. Webhooks\n\n${text}` }])).toEqual(
      [],
    )
  })

  test.each(['RFC 9110 §8.6, §15.3.5', 'ISO 32000-1 §7.5.2'])(
    'of a standard is left to the standard: %s',
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

  test('that does not exist is named', () => {
    expect(faultsOf('src/a.sql', '-- Payouts (spec: Payout)')).toEqual([
      '1: spec: Payout: docs/spec/api.md has no such heading',
    ])
  })

  test('that exists twice is cited below its parent', () => {
    expect(faultsOf('src/a.ts', '(spec: Twice)')).toEqual([
      `1: spec: Twice: docs/spec/api.md has several: \`Endpoints, Twice\` or \`Events, Twice\``,
    ])
  })
})

describe('an architecture decision record', () => {
  test('is found by its number', () => {
    expect(faultsOf('src/a.ts', 'ADR 0028')).toEqual([])
    expect(faultsOf('src/a.ts', '// as ADR 0029 says')).toEqual([
      '1: ADR 0029: docs/adr has no page of this number',
    ])
  })

  test('is cited as one', () => {
    const old = 'decision 0028'
    expect(faultsOf('src/a.ts', old)).toEqual([
      `1: ${old}: write \`ADR 0028\`, or \`decisions §8\` of docs/spec/decisions.md`,
    ])
  })
})

describe('a link between pages', () => {
  test.each([
    '[a](../adr/0028-statements.md)',
    '[a](../adr/0028-statements.md#why-so)',
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
    [
      '[a](../adr/0028-statements.md#no)',
      '../adr/0028-statements.md#no: docs/adr/0028-statements.md has no heading #no',
    ],
    ['[a](#no)', '#no: docs/spec/page.md has no heading #no'],
  ])('that leads nowhere is named: %s', (link, fault) => {
    expect(faultsOf('docs/spec/page.md', `# Here\n\n${link}\n`)).toEqual([`3: ${fault}`])
  })

  test('a page that is named by its path exists', () => {
    const path = 'docs/none.md'
    expect(faultsOf('src/a.ts', `// see ${path}`)).toEqual([`1: ${path}: there is no such page`])
  })

  test('a source that a page names is there', () => {
    expect(faultsOf('docs/spec/page.md', 'see `src/part.ts` and `services/<service>/src`')).toEqual([])
    expect(faultsOf('docs/spec/page.md', 'see `services/shop/none.ts: a title`')).toEqual([
      '1: services/shop/none.ts: there is no such file or folder',
    ])
  })
})
