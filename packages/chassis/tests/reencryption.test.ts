import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { rotateSealingKey } from '../src/database.ts'
import { createClock } from '../src/index.ts'
import { testVault } from '../src/testing/index.ts'
import { LETTERS, openLetters, type Letters } from './key-fixture.ts'

const ROWS = 1_203
const { contextOf } = LETTERS
const config = { encryptionKey: Buffer.alloc(32, 1) }

let database: Letters
beforeAll(async () => {
  database = await openLetters('reencryption')
  const former = testVault(config.encryptionKey)
  const ids = Array.from({ length: ROWS }, (_, n) => `id-${n}`)
  await database.add(ids.map((id) => ({ id, sealed: former.seal(`text of ${id}`, contextOf(id)) })))
})
afterAll(() => database.close())

type Ring = Awaited<ReturnType<Letters['open']>>
const rotate = async (ring: Ring, whenAllHaveRead: () => Promise<void>) => {
  const { db, log } = database
  await rotateSealingKey({ db, ring, columns: [LETTERS], log, clock: createClock(), whenAllHaveRead })
}
const keyIds = async () => new Set((await database.letters()).map((row) => row.textSealed.split('.')[1]))

test('seals every value with a new key, loses none, and deletes the previous key', async () => {
  const ring = await database.open(config)
  const before = ring.vault.sealingKeyId
  await rotate(ring, async () => undefined)
  expect(ring.vault.sealingKeyId).not.toBe(before)
  expect([...(await keyIds())]).toEqual([ring.vault.sealingKeyId])
  const { vault } = await database.open(config)
  for (const { id, textSealed: sealed } of await database.letters())
    expect(vault.open(sealed, contextOf(id)).toString()).toBe(`text of ${id}`)
  // Backups of the rows from before are of no use with the ring of now.
  const older = testVault(config.encryptionKey).seal('x', 'c')
  expect(() => vault.open(older, 'c')).toThrow(/names key/)
})

test('keeps running replicas reading and writing during a rotation, as long as they read the ring when asked', async () => {
  const [command, replica] = [await database.open(config), await database.open(config)]
  const seen: string[] = []
  await rotate(command, async () => {
    await replica.refresh()
    for (const { id, textSealed: sealed } of await database.letters())
      expect(replica.vault.open(sealed, contextOf(id)).toString()).toMatch(/^text of /)
    seen.push(replica.vault.sealingKeyId)
    await database.add([
      {
        id: `new-${seen.length}`,
        sealed: replica.vault.seal('text of a new one', contextOf(`new-${seen.length}`)),
      },
    ])
  })
  await replica.refresh()
  const [, afterwards] = seen
  expect(seen[0]).not.toBe(afterwards)
  expect(afterwards).toBe(command.vault.sealingKeyId)
  expect([...(await keyIds())]).toEqual([afterwards])
})

test('resumes a run that broke off before the new key was activated', async () => {
  const ring = await database.open(config)
  await expect(rotate(ring, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed')
  const waiting = (await database.wraps()).filter(({ state }) => state === 'next')
  expect(waiting).toHaveLength(1)
  await rotate(await database.open(config), async () => undefined)
  expect((await database.wraps()).map(({ purpose, state }) => `${purpose} ${state}`)).toEqual([
    'hash active',
    'hash:merchant-email active',
    'seal active',
  ])
})
