import { expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  type ApiDocument,
  type ApiOperation,
  describeApi,
  describeOperatorApi,
  type MediaType,
  type Response,
  withoutReferences,
} from '@causeway/reference'
import { closed } from '../contract/documented.ts'

const BASE_URL = 'https://payments.example'
const documents = [describeApi(BASE_URL), describeOperatorApi(BASE_URL)].map(withoutReferences)

const ajv = new Ajv2020({ strict: false, validateFormats: true })
addFormats.default(ajv)

const operationsOf = (paths: ApiDocument['paths'] = {}): readonly ApiOperation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods))
const operations = documents.flatMap(({ paths }) => operationsOf(paths))
const events = documents.flatMap(({ webhooks }) => operationsOf(webhooks))

/** Returns the fault of the example of a body, or null. Raw text and bytes have no schema to follow. */
const faultOf = (type: string, { schema, example }: MediaType): string | null => {
  if (type !== 'application/json') return null
  if (example === undefined) return 'there is no example'
  const validate = ajv.compile(closed(schema) as object)
  return validate(example) ? null : ajv.errorsText(validate.errors)
}

const faultsIn = (name: string, content: Readonly<Record<string, MediaType>> = {}): string[] =>
  Object.entries(content).flatMap(([type, body]) => {
    const fault = faultOf(type, body)
    return fault === null ? [] : [`${name} ${type}: ${fault}`]
  })

/** Answers that are documents themselves. */
const WITHOUT_EXAMPLE = ['getOpenApi', 'getOperatorOpenApi']

/** True if a body can contain nothing. */
const isEmpty = ({ schema }: MediaType): boolean => Object.keys(schema['properties'] ?? {}).length === 0

test('gives every request body, required or optional, an example that its schema accepts', () => {
  expect(
    operations.flatMap(({ operationId, requestBody: { required = false, content = {} } = {} as never }) =>
      required || !Object.values(content).every(isEmpty) ? faultsIn(operationId, content) : [],
    ),
  ).toEqual([])
})

test('shows an example of success for every operation, which its schema describes in full', () => {
  const faults = operations
    .filter(({ operationId }) => !WITHOUT_EXAMPLE.includes(operationId))
    .flatMap(({ operationId, responses }) => {
      const successes = Object.entries(responses as Readonly<Record<string, Response>>).filter(([status]) =>
        status.startsWith('2'),
      )
      const all = successes.map(([status, { content }]) => faultsIn(`${operationId} ${status}`, content))
      // Only the reply with a created resource is shown, not the one with an existing resource: one example is enough.
      return all.some((found) => found.length === 0) ? [] : all.flat()
    })
  expect(faults).toEqual([])
})

test('shows an example of every event, which its schema describes in full', () => {
  expect(events.length).toBeGreaterThan(25)
  expect(
    events.flatMap(({ operationId, requestBody }) => faultsIn(operationId, requestBody?.content)),
  ).toEqual([])
})

test('shows an example of every error, which the schema of errors describes', () => {
  const faults = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses as Readonly<Record<string, Response>>).flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap(({ schema, examples = {} }) =>
        Object.entries(examples).flatMap(([code, { value }]) => {
          const validate = ajv.compile(schema)
          return validate(value)
            ? []
            : [`${operationId} ${status} ${code}: ${ajv.errorsText(validate.errors)}`]
        }),
      ),
    ),
  )
  expect(faults).toEqual([])
})
