import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from '@jest/globals'
import { withoutReferences } from '../src/inlined.ts'
import { describeApi, describeOperatorApi } from '../src/openapi.ts'
import { operationRoutes } from '@causeway/contracts/http'

const BASE_URL = 'https://api.causeway.test'
const open = describeApi(BASE_URL)
const operator = describeOperatorApi(BASE_URL)
const DOCUMENTS = { open, operator }

/** Most bytes of each document as it is sent, before compression. It grows by operations, each within its own bound below. */
const MAX_BYTES = { open: 390_000, operator: 370_000 }
/** Most bytes that one operation adds to a document, besides the schemas it names. */
const MAX_OPERATION_BYTES = 3_500
const MAX_EXAMPLE_BYTES = 1_500

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

describe.each(['open', 'operator'] as const)('the %s document', (name) => {
  const document = DOCUMENTS[name]

  test('passes the linter without a finding', async () => {
    // The rule does not count `default`, which holds the errors of every operation.
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'operation-4xx-response': 'off' },
    })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`),
    ).toEqual([])
  })

  test('is small enough to be read in one piece', () => {
    expect(bytesOf(document)).toBeLessThan(MAX_BYTES[name])
  })

  test('names every operation once, in words', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+|[A-Z]+)+$/)
  })

  test('names every component as a type is named', () => {
    for (const name of Object.keys(document.components.schemas ?? {}))
      expect(name).toMatch(/^[A-Z][A-Za-z]{2,40}$/)
  })
})

test('takes a bounded number of bytes for each operation, event and example of the open document', () => {
  const operations = Object.values({ ...open.paths, ...open.webhooks }).flatMap((methods) =>
    Object.values(methods),
  )
  expect(operations.filter((operation) => bytesOf(operation) > MAX_OPERATION_BYTES)).toEqual([])
  const examples: unknown[] = []
  JSON.stringify(open, (key, value: unknown) => {
    if (key === 'example') examples.push(value)
    return value
  })
  expect(examples.length).toBeGreaterThan(50)
  expect(examples.filter((example) => bytesOf(example) > MAX_EXAMPLE_BYTES)).toEqual([])
})

/** The schemas of a document that describe objects without another field, by component. */
const closedIn = ({ components }: typeof open): string[] =>
  Object.entries(components.schemas ?? {}).flatMap(([name, schema]) =>
    JSON.stringify(schema).includes('"additionalProperties":false') ? [name] : [],
  )

test('leaves answers open to new fields, and closes requests to unknown fields', () => {
  const schemas = open.components.schemas ?? {}
  expect(closedIn(open)).toEqual(
    expect.arrayContaining(['CreateCustomerRequest', 'KybWrite', 'PersonInput', 'RefundLineInput']),
  )
  expect(closedIn(open)).not.toEqual(expect.arrayContaining(['Customer']))
  const answered = JSON.stringify(
    Object.values(open.paths).flatMap((methods) => Object.values(methods).map(({ responses }) => responses)),
  )
  const reached = new Set<string>()
  const visit = (text: string): void => {
    expect(text).not.toContain('"additionalProperties":false')
    for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (reached.has(name)) continue
      reached.add(name)
      visit(JSON.stringify(schemas[name]))
    }
  }
  visit(answered)
  expect(reached.size).toBeGreaterThan(50)
})

test('describes every route with its scopes or role, in the document of its caller', () => {
  for (const route of operationRoutes) {
    const own = route.operation.caller === 'operator' ? operator : open
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const described = own.paths[path]?.[route.method.toLowerCase()]
    expect(described?.summary).toBe(route.operation.summary)
    if (route.scopes.length > 0) expect(described?.security).toEqual([{ partnerToken: route.scopes }])
    if (route.role !== null) expect(described?.security).toEqual([{ operatorKey: [route.role] }])
  }
  expect(Object.keys(open.paths).filter((path) => path.startsWith('/api/operator'))).toEqual([])
})

test('declares every path parameter', () => {
  for (const { paths } of Object.values(DOCUMENTS).map(withoutReferences))
    for (const [path, methods] of Object.entries(paths))
      for (const operation of Object.values(methods))
        expect(
          (operation.parameters ?? []).flatMap((parameter) =>
            'in' in parameter && parameter.in === 'path' ? [parameter.name] : [],
          ),
        ).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
})
