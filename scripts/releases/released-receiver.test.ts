import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import * as kit from '@causeway/webhook-verifier'
import { readExamples } from '@causeway/reference'
import { LAST_RELEASE, RELEASED_BASE_URL } from './last-release.ts'

type Kit = Pick<typeof kit, 'verify' | 'repetitionKey'>
type Vector = Readonly<{
  name: string
  secrets: string[]
  headers: Record<string, string>
  body: string
  now: number
  tolerance_seconds: number
  expect: string
}>

const released = (await import(join(LAST_RELEASE, 'webhook-verifier', 'index.js'))) as Kit

const vectorsOf = (path: string) =>
  (JSON.parse(readFileSync(path, 'utf8')) as { vectors: Vector[] }).vectors
const oldVectors = vectorsOf(join(LAST_RELEASE, 'vectors.json'))
const newVectors = vectorsOf(
  join(import.meta.dirname, '..', '..', 'packages', 'webhook-verifier', 'vectors.json'),
)

const resultOf = async ({ verify }: Kit, vector: Vector): Promise<string> => {
  const options = { now: new Date(vector.now * 1000), toleranceSeconds: vector.tolerance_seconds }
  try {
    await verify(vector.body, vector.headers, vector.secrets, options)
    return 'verified'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

describe('vectors', () => {
  test.each(newVectors)('gives today’s result with the released kit: $name', async (vector) => {
    expect(await resultOf(released, vector)).toBe(vector.expect)
  })

  test.each(oldVectors)('gives the released result with today’s kit: $name', async (vector) => {
    expect(await resultOf(kit, vector)).toBe(vector.expect)
  })
})

const SECRET = 'ab'.repeat(32)
const AT = new Date('2026-11-21T12:00:00.000Z')

const signed = (body: string) => {
  const timestamp = String(AT.getTime() / 1000)
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-timestamp': timestamp, 'x-signature': `v1=${signature}` }
}

/** A field that no receiver knows, in every object. */
const withNewFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withNewFields)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNewFields(each)]))
  return { ...inner, a_field_of_tomorrow: { more: [1, null, 'text'] } }
}

const { partner, merchant } = readExamples(RELEASED_BASE_URL).events
const events = [...Object.entries(partner), ...Object.entries(merchant)].flatMap(([name, variants]) =>
  Object.entries(variants).map(([variant, body]) => [name, variant, body] as const),
)

type Documented = { components: { schemas: { CardOrderChanged: { properties: object } } } }
const document = JSON.parse(readFileSync(join(LAST_RELEASE, 'openapi.json'), 'utf8')) as Documented
/** Since decisions §40 merchant events carry their id, which is then the key of their repetitions. */
const sentEventIds = 'eventId' in document.components.schemas.CardOrderChanged.properties

/** A body as the release sent it: before there were ids its kit made a key of the other fields, which are still there. */
const asReleased = (body: unknown) => {
  if (sentEventIds) return body
  const { eventId: _id, occurredAt: _at, sequence: _sequence, ...rest } = body as Record<string, unknown>
  return rest
}

describe('a receiver of the release', () => {
  test.each(events)('verifies %s (%s) as it is sent today, and with fields of tomorrow', async (_, __, body) => {
    for (const sent of [body, withNewFields(body)]) {
      const text = JSON.stringify(sent)
      const event = await released.verify(text, signed(text), SECRET, { now: AT })
      expect(event).toEqual(sent)
      const key = released.repetitionKey(event)
      expect(key).toBe(kit.repetitionKey(asReleased(body) as typeof event))
    }
  })
})
