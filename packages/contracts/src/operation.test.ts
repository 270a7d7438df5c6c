import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { HTTP_OPERATIONS } from './topology.ts'
import { get } from './http/methods.ts'
import * as contracts from './index.ts'
import { operation, type Operation } from './operation.ts'

const THING = {
  operationId: 'getThing',
  http: get('/things/:thingId'),
  tag: 'Customers',
  summary: 'Read a thing',
  description: 'Use it to read a thing.',
  reply: z.object({}),
} as const

const ROLE_FAULT = 'getThing: declare a role if, and only if, it is an operation of staff.'

test.each<readonly [string, Parameters<typeof operation>[0], string]>([
  ['of staff without a role', { ...THING, caller: 'operator' }, ROLE_FAULT],
  ['of partners with a role', { ...THING, role: 'viewer' }, ROLE_FAULT],
  [
    'between services',
    { ...THING, caller: 'service', services: ['payments'] },
    'getThing: a service has no path.',
  ],
  [
    'without a description',
    { ...THING, description: '' },
    'GET /things/:thingId: declare an operationId, a description and a tag.',
  ],
])('refuses to declare a path for an operation %s', (_, shape, fault) => {
  expect(() => operation(shape)).toThrow(fault)
})

const operationsIn = (exported: unknown): Operation[] =>
  Object.values(exported ?? {}).filter((member: unknown): member is Operation =>
    Boolean((member as Operation | null)?.subject && (member as Operation).http),
  )

test('offers every operation that declares a path, once', () => {
  const declared = Object.values(contracts)
    .filter((exported) => !Array.isArray(exported))
    .flatMap(operationsIn)
    .map(({ subject }) => subject)
  expect(HTTP_OPERATIONS.map(({ subject }) => subject).sort()).toEqual(declared.sort())
})
