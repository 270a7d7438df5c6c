import { describe, expect, test } from '@jest/globals'
import type { ApiDocument, Parameter, Response } from '../../src/reference/document.ts'
import { renderEvents } from '../../src/reference/events-page.ts'
import { readExamples } from '../../src/reference/examples.ts'
import { withoutReferences } from '../../src/reference/inlined.ts'
import { renderReference } from '../../src/reference/markdown.ts'
import { describeApi, describeOperatorApi } from '../../src/reference/openapi.ts'

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

const sections = sectionsOf(reference)

/** Names of the properties in a schema and in what has no name in it. */
const propertyNames = (schema: unknown): string[] => {
  if (Array.isArray(schema)) return schema.flatMap(propertyNames)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, inner]) =>
    key === 'properties'
      ? Object.entries(inner as object).flatMap(([name, each]) => [name, ...propertyNames(each)])
      : key === 'not' || key === 'example'
        ? []
        : propertyNames(inner),
  )
}

/** Whether a table of the section has a row for a field, by itself or at the end of a path. */
const hasField = (section: string, field: string): boolean =>
  new RegExp(`^\\| \`(\\S+\\.)?${field}\` \\|`, 'm').test(section)

describe('the API reference', () => {
  test('has every operation with its name, parameters, media types, statuses and codes', () => {
    const missing: string[] = []
    for (const { paths } of documents.map(withoutReferences))
      for (const [path, methods] of Object.entries(paths))
        for (const [method, operation] of Object.entries(methods)) {
          const name = `${method.toUpperCase()} \`${path}\``
          const section = sections.get(name) ?? ''
          const parameters = (operation.parameters ?? []) as readonly Parameter[]
          const responses = Object.entries(operation.responses as Readonly<Record<string, Response>>)
          const expected = [
            `\`${operation.operationId}\``,
            operation.description,
            ...operation.security
              .flatMap((each) => Object.values(each).flat())
              .map((scope) => `\`${scope}\``),
            ...parameters.map((parameter) => `\`${parameter.name} (${parameter.in})\``),
            ...Object.keys(operation.requestBody?.content ?? {}).map((type) => `(\`${type}\`)`),
            ...responses.map(([status]) => `| ${status} |`),
            ...responses.flatMap(([, { content }]) =>
              Object.keys(content?.['application/json']?.examples ?? {}).map((code) => `\`${code}\``),
            ),
          ]
          missing.push(
            ...expected.filter((text) => !section.includes(text)).map((text) => `${name}: ${text}`),
          )
        }
    expect(missing).toEqual([])
    expect(sections.has('POST `/api/v1/partner/fiat-orders/{orderKey}/refunds`')).toBe(true)
  })

  test('has every field of the bodies that have no name', () => {
    const found = documents.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
          const name = `${method.toUpperCase()} \`${path}\``
          return [requestBody, ...Object.values(responses as Readonly<Record<string, Response>>)]
            .flatMap((holder) => Object.values(holder?.content ?? {}))
            .flatMap(({ schema }) => propertyNames(schema))
            .filter((field) => field !== 'data')
            .map((field) => ({ name, field }))
        }),
      ),
    )
    expect(found.length).toBeGreaterThan(100)
    const missing = found.filter(({ name, field }) => !hasField(sections.get(name) ?? '', field))
    expect(missing).toEqual([])
  })

  test('has every header', () => {
    const headers = documents.flatMap((document) => {
      const { paths } = withoutReferences(document)
      return Object.values(paths)
        .flatMap((methods) => Object.values(methods))
        .flatMap(({ responses }) => Object.values(responses as Readonly<Record<string, Response>>))
        .flatMap((response) => Object.keys(response.headers ?? {}))
    })
    expect([...new Set(headers)].filter((name) => !reference.includes(`\`${name}\``))).toEqual([])
    expect(headers).toEqual(expect.arrayContaining(['Retry-After', 'Idempotent-Replayed', 'RateLimit-Reset']))
  })

  test('has every type with every field, by its type', () => {
    const missing = documents.flatMap(({ components }) =>
      Object.entries(components.schemas ?? {}).flatMap(([name, schema]) => {
        const section = sections.get(name) ?? ''
        return propertyNames(schema)
          .filter((field) => !hasField(section, field))
          .map((field) => `${name}: ${field}`)
      }),
    )
    expect(missing).toEqual([])
    expect(sections.get('FiatOrder')).toContain('| `total_cents` | integer | yes |')
    expect(sections.get('FiatOrder')).toContain('| `merchant_reference` | string or null | yes |')
    expect(sections.get('Customer')).toContain('| `customer.email` | string | yes |')
  })

  test('says of no value that it may be anything, but of those that may', () => {
    const anything = reference.split('\n').filter((line) => line.includes('any JSON'))
    expect(anything.map((line) => line.trim()).toSorted()).toEqual([
      '**Request** (`*/*`): any JSON',
      '**Request** (`*/*`): any JSON',
      '**Request** (`*/*`): any JSON',
      '| `after` | any JSON | yes |  |',
      '| `allowed` | array of any JSON | no | With `invalid_value`: the values of the field, where they are few |',
      '| `asked` | any JSON | yes | Body of the request, without credentials |',
      '| `before` | any JSON | yes |  |',
      '| `before` | any JSON | yes | What would change, as it was when the action was asked for |',
      '| `result` | any JSON | yes |  |',
    ])
  })

  test('has a heading for every type that it links to', () => {
    const anchors = new Set([...sections.keys()].map((name) => name.toLowerCase()))
    const links = [...reference.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
    expect(links.length).toBeGreaterThan(500)
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([])
  })
})

test('the page of events has every event of both channels, with its fields, examples and what to do', () => {
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
  expect(page.get('paid')).toContain('| `*` | [CardProcessorFields](api.md#cardprocessorfields) |')
})
