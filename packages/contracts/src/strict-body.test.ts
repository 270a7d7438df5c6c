import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { operation } from './operation.ts'

const declare = (body: z.ZodType) =>
  operation({ operationId: 'createThing', summary: 'Create a thing', body, reply: z.object({}) })

const TOLERANT = z.object({ name: z.string() })

test.each<readonly [string, z.ZodType, string]>([
  ['the body itself', TOLERANT, 'body'],
  ['an optional body', TOLERANT.optional(), 'body'],
  ['a refined body', TOLERANT.refine(() => true), 'body'],
  ['a transformed body', TOLERANT.transform(({ name }) => name), 'body'],
  ['a field', z.strictObject({ thing: TOLERANT.nullable() }), 'body.thing'],
  ['a list’s item', z.strictObject({ things: z.array(TOLERANT) }), 'body.things[]'],
  ['a record’s value', z.record(z.string(), TOLERANT), 'body{}'],
  ['one of several forms', z.union([z.strictObject({}), TOLERANT]), 'body'],
  ['part of an intersection', z.intersection(z.strictObject({}), TOLERANT), 'body'],
  ['a lazy field', z.strictObject({ thing: z.lazy(() => TOLERANT) }), 'body.thing'],
  ['a loose object', z.looseObject({}), 'body'],
])('refuses to declare an operation whose request accepts unknown fields in %s', (_, body, path) => {
  expect(() => declare(body)).toThrow(`createThing: declare ${path} with z.strictObject, not z.object.`)
})

test('declares an operation whose request accepts no unknown field', () => {
  const body = z.strictObject({ things: z.array(z.strictObject({ name: z.string() })).optional() })
  expect(declare(body).body).toBe(body)
})

test('lets a request between services carry fields that the older version does not know', () => {
  const declared = operation({
    summary: 'Read a thing',
    caller: 'service',
    services: ['payments'],
    body: TOLERANT,
    reply: z.object({}),
  })
  expect(declared.body.safeParse({ name: 'a', new_field: 1 }).success).toBe(true)
})
