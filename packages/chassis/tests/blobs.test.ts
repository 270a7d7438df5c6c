import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import S3rver from '@20minutes/s3rver'
import { BLOB_BUCKET } from '@causeway/contracts'
import { Objm } from '@nats-io/obj'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pieces } from '../src/blobs/store.ts'
import {
  createBlobs,
  createClock,
  openBlobStore,
  type BlobConfig,
  type Blobs,
  type Bus,
} from '../src/index.ts'
import { makeStreams, TEST_DEADLINE_MS, testBus } from '../src/testing/index.ts'

const BUCKET = 'evidence'
const S3_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const folder = mkdtempSync(join(tmpdir(), 'causeway-s3-'))
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: folder,
  configureBuckets: [{ name: BUCKET, configs: [] }],
})

let bus: Bus
const blobs = new Map<BlobConfig['kind'], Blobs>()
const stores = new Map<BlobConfig['kind'], Awaited<ReturnType<typeof openBlobStore>>>()
beforeAll(async () => {
  // Many megabytes on a slow disk: nothing here is about a timeout.
  bus = await testBus(undefined, { streamTimeoutMs: TEST_DEADLINE_MS })
  await makeStreams(bus)
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  const configs: BlobConfig[] = [
    { kind: 'jetstream' },
    { kind: 's3', endpoint, bucket: BUCKET, region: 'us-east-1', ...S3_KEYS },
  ]
  for (const config of configs) {
    const store = await openBlobStore(config, { bus, clock: createClock() })
    stores.set(config.kind, store)
    blobs.set(config.kind, createBlobs(store))
  }
})
afterAll(async () => {
  await server.close()
  await bus.close()
  rmSync(folder, { recursive: true, force: true })
})

const keyOf = () => randomBytes(16).toString('hex')
const inPieces = async function* (bytes: Buffer, size = 10_000): Pieces {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const collect = async (pieces: Pieces | null): Promise<Buffer | null> => {
  if (pieces === null) return null
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
/** A source that ends as a connection does that breaks. */
const breakingOff = async function* (bytes: Buffer): Pieces {
  yield bytes
  throw new Error('the caller is gone')
}

describe.each(['jetstream', 's3'] as const)('blobs in %s', (kind) => {
  const store = () => stores.get(kind) as NonNullable<ReturnType<typeof stores.get>>
  const sealed = () => blobs.get(kind) as Blobs

  test.each([1, 65_535, 65_536, 65_537, 131_072, 10 * 1024 * 1024])(
    'return %d bytes unchanged',
    async (size) => {
      const key = keyOf()
      const bytes = randomBytes(size)
      const secret = await sealed().write(key, inPieces(bytes))
      expect((await collect(await sealed().read(key, secret)))?.equals(bytes)).toBe(true)
    },
  )

  test('are stored encrypted', async () => {
    const key = keyOf()
    const secret = await sealed().write(key, inPieces(Buffer.from('canary '.repeat(20_000))))
    const stored = await collect(await store().get(key))
    expect(stored?.includes('canary')).toBe(false)
    expect(secret).not.toContain('canary')
  })

  test('are opened only with their own secret', async () => {
    const [one, other] = [keyOf(), keyOf()]
    const secret = await sealed().write(one, inPieces(Buffer.from('one')))
    const otherSecret = await sealed().write(other, inPieces(Buffer.from('other')))
    await expect(sealed().read(one, otherSecret).then(collect)).rejects.toThrow()
    await expect(sealed().read(other, secret).then(collect)).rejects.toThrow()
  })

  test('do not exist after an upload broke off, and leave nothing behind when deleted', async () => {
    const key = keyOf()
    await expect(sealed().write(key, breakingOff(randomBytes(300_000)))).rejects.toThrow('gone')
    expect(await store().get(key)).toBeNull()
    await sealed().remove(key)
    expect(await leftOf(kind, key)).toEqual([])
  })

  test('are gone when deleted, and deleting a missing one succeeds', async () => {
    const key = keyOf()
    const secret = await sealed().write(key, inPieces(randomBytes(100_000)))
    await sealed().remove(key)
    await sealed().remove(key)
    expect(await sealed().read(key, secret)).toBeNull()
    expect(await leftOf(kind, key)).toEqual([])
  })

  test.each(['', 'a/b', 'a.b', 'x'.repeat(65), '*', '>'])('reject a key like %p', async (key) => {
    await expect(sealed().write(key, inPieces(Buffer.from('x')))).rejects.toThrow('blob key')
  })
})

/** Lists what the store still contains of a key. */
const leftOf = async (kind: BlobConfig['kind'], key: string): Promise<string[]> => {
  if (kind === 's3')
    return readdirSync(folder, { recursive: true })
      .filter((path) => String(path).includes(key))
      .map(String)
  const manager = await bus.jetstreamManager()
  const info = await manager.streams.info(`OBJ_${BLOB_BUCKET}`, { subjects_filter: '>' })
  const meta = Buffer.from(key).toString('base64url')
  return Object.keys(info.state.subjects ?? {}).filter(
    (subject) => subject.includes(key) || subject.includes(meta),
  )
}

test('stores blobs in JetStream as objects that its own client can list, read and check', async () => {
  const key = keyOf()
  await blobs.get('jetstream')?.write(key, inPieces(randomBytes(200_000)))
  const objects = await new Objm(bus.jetstream).open(BLOB_BUCKET)
  const stored = await collect((await stores.get('jetstream')?.get(key)) ?? null)
  expect(Buffer.from((await objects.getBlob(key)) ?? []).equals(stored as Buffer)).toBe(true)
  expect(await objects.info(key)).toMatchObject({ name: key, size: stored?.length, chunks: 4 })
})

test('accepts blobs again after JetStream has lost its data and the streams are recreated', async () => {
  const [lost, key] = [keyOf(), keyOf()]
  await blobs.get('jetstream')?.write(lost, inPieces(randomBytes(10)))
  const manager = await bus.jetstreamManager()
  await manager.streams.delete(`OBJ_${BLOB_BUCKET}`)
  await makeStreams(bus)
  const store = stores.get('jetstream')
  expect(await store?.get(lost)).toBeNull()
  await store?.put(key, inPieces(Buffer.from('again')))
  expect((await collect((await store?.get(key)) ?? null))?.toString()).toBe('again')
})

test('stores blobs in S3 as files that do not contain the secret', async () => {
  const key = keyOf()
  await blobs.get('s3')?.write(key, inPieces(Buffer.from('canary '.repeat(1_000))))
  const [path] = await leftOf('s3', key)
  expect(readFileSync(join(folder, String(path))).includes('canary')).toBe(false)
})
