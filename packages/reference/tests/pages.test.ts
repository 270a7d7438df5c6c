import { expect, test } from '@jest/globals'
import type { ApiDocument } from '../src/document.ts'
import { renderEvents } from '../src/events-page.ts'
import { readExamples } from '../src/examples.ts'
import { renderReference } from '../src/markdown.ts'
import { describeApi, describeOperatorApi } from '../src/openapi.ts'

const BASE_URL = 'https://payments.example'
const documents: readonly ApiDocument[] = [describeApi(BASE_URL), describeOperatorApi(BASE_URL)]
const reference = renderReference(documents)

/** The parts of a page by their headings of the third level. */
const sectionsOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    page
      .split('\n### ')
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  )

test('lists every operation in the API reference with its name, purpose and credential', () => {
  const operations = documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    ),
  )
  const missing = operations.flatMap(({ path, method, operationId, summary, security }) => {
    const row = reference
      .split('\n')
      .find((line) => line.startsWith(`| \`${method.toUpperCase()} ${path}\` |`))
    const scopes = security.flatMap((each) => Object.values(each).flat()).map((scope) => `\`${scope}\``)
    return [`\`${operationId}\``, summary, ...scopes]
      .filter((text) => row?.includes(text) !== true)
      .map((text) => `${method} ${path}: ${text}`)
  })
  expect(missing).toEqual([])
  expect(operations.length).toBeGreaterThan(150)
  expect(reference).toContain(
    '| `POST /api/v1/partner/customers` | Link an external customer to a merchant. `createCustomer` | access token with `customers:write` |',
  )
})

test('describes every event of both channels with its fields, examples and what to do', () => {
  const [document] = documents
  const { events } = readExamples(BASE_URL)
  const page = sectionsOf(renderEvents(document as ApiDocument, events))
  const missing = Object.entries(document?.webhooks ?? {}).flatMap(([name, { post }]) => {
    const section = page.get(name) ?? ''
    const example = post?.requestBody?.content['application/json']?.example
    const expected = [
      '**When:**',
      '**What to do:**',
      String(post?.operationId),
      ...Object.keys(example as object).map((field) => `| \`${field}\` |`),
      '```json',
    ]
    return expected.filter((text) => !section.includes(text)).map((text) => `${name}: ${text}`)
  })
  // The example has it under a key that bears the processor's name, which the table writes as a star.
  expect(missing.filter((text) => !text.endsWith('| `processor` |'))).toEqual([])
  expect(page.get('paid')).toContain('| `*` | [CardProcessorFields](#cardprocessorfields) |')
  expect(page.get('CardProcessorFields')).toContain('| Field |')
  const anchors = new Set([...page.keys()].map((name) => name.toLowerCase().replaceAll('.', '')))
  const links = [...[...page.values()].join('').matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
  expect(links.length).toBeGreaterThan(200)
  expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([])
})
