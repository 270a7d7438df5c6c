import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createDb } from '../src/database.ts'
import { createClock, createLogger, queryMany, queryNone, queryOne, type Db } from '../src/index.ts'
import { testDatabase } from '../src/testing/index.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
beforeAll(async () => {
  database = await testDatabase('statements')
  const log = createLogger({ service: 'test', level: 'silent' })
  db = createDb({
    url: database.url,
    name: 'test',
    log,
    clock: createClock(),
    poolSize: 1,
    pipelinedConnections: 1,
  })
  await createTable(db)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const createTable = queryNone({
  name: 'test.create-parcels',
  text: 'CREATE TABLE parcels (parcel_id text PRIMARY KEY, sent_to text, weight_g2 integer)',
})
const insertParcels = queryNone({
  name: 'test.insert-parcels',
  parameters: { ids: 'text[]', receivers: 'text?[]', weightG: 'integer' },
  text: `
    INSERT INTO parcels (parcel_id, sent_to, weight_g2)
    SELECT id, receiver, :weightG FROM unnest(:ids, :receivers) AS given (id, receiver)`,
})
const Parcel = z.object({ parcelId: z.string(), sentTo: z.string().nullable(), weightG2: z.number() })
const listParcels = queryMany({
  name: 'test.list-parcels',
  text: 'SELECT * FROM parcels ORDER BY parcel_id',
  row: Parcel,
})
const findParcel = queryOne({
  name: 'test.find-parcel',
  parameters: { id: 'text', receiver: 'text?' },
  text: `
    SELECT * FROM parcels -- not :this
    WHERE parcel_id = :id AND coalesce(sent_to, ':nobody') = coalesce(:receiver, ':nobody')`,
  row: Parcel,
})

describe('a statement', () => {
  it('accepts its values by name and returns its columns in camelCase', async () => {
    await insertParcels(db, { ids: ['a', 'b'], receivers: ['x', null], weightG: 5 })
    expect(await listParcels(db)).toEqual([
      { parcelId: 'a', sentTo: 'x', weightG2: 5 },
      { parcelId: 'b', sentTo: null, weightG2: 5 },
    ])
  })

  it('returns null when no row is found, in a transaction and on the pool alike', async () => {
    const expected = { parcelId: 'b', sentTo: null, weightG2: 5 }
    await db.transaction(async (tx) => {
      expect(await findParcel(tx, { id: 'b', receiver: null })).toEqual(expected)
    })
    expect(await findParcel(db.pooled, { id: 'b', receiver: null })).toEqual(expected)
    expect(await findParcel(db, { id: 'b', receiver: 'x' })).toBeNull()
  })

  it('accepts null for a whole array that may be null', async () => {
    const listThese = queryMany({
      name: 'test.list-these',
      parameters: { ids: 'text[]?' },
      text: 'SELECT * FROM parcels WHERE :ids IS NULL OR parcel_id = ANY (:ids) ORDER BY parcel_id',
      row: Parcel,
    })
    expect(await listThese(db, { ids: ['b'] })).toMatchObject([{ parcelId: 'b' }])
    expect(await listThese(db, { ids: null })).toMatchObject([{ parcelId: 'a' }, { parcelId: 'b' }])
  })

  it('refuses a row that does not match its declared columns', async () => {
    const wrong = queryMany({
      name: 'test.wrong-row',
      text: 'SELECT parcel_id FROM parcels',
      row: z.object({ parcelId: z.number() }),
    })
    await expect(wrong(db)).rejects.toThrow('expected number')
  })
})

describe('a refused declaration', () => {
  it.each([
    ['a parameter is not declared', 'SELECT :a, :b', { a: 'text' }, 'uses :b, which it does not declare'],
    ['a parameter is not used', 'SELECT :a', { a: 'text', b: 'text' }, 'declares :b but does not use it'],
    [
      'a parameter is cast',
      'SELECT :a::text',
      { a: 'text' },
      'casts :a; remove the cast, because the declared type adds it',
    ],
    ['a parameter has no name', 'SELECT $1', {}, 'has the parameter $1 without a name'],
  ] as const)('is refused if %s', (_title, text, parameters, message) => {
    expect(() => queryNone({ name: 'test.refused', text, parameters })).toThrow(message)
  })

  it('is refused if its name belongs to another one', () => {
    expect(() => queryNone({ name: 'test.list-parcels', text: 'SELECT 1' })).toThrow(
      'Two statements are named test.list-parcels',
    )
  })
})
