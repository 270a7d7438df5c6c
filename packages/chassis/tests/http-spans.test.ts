import { afterAll, beforeAll, expect, test } from '@jest/globals'
import S3rver from '@20minutes/s3rver'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createS3Store } from '../src/blobs/s3.ts'
import { openTransit } from '../src/keys/transit.ts'
import { span } from '../src/telemetry/span.ts'
import { startTracing } from '../src/telemetry/start.ts'
import { startTraceCollector } from '../src/testing/index.ts'
import { startVaultServer } from './vault-server.ts'

const BUCKET = 'evidence'
const SERVER = 2
const CLIENT = 3
const folder = mkdtempSync(join(tmpdir(), 'causeway-spans-'))
const bucket = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: folder,
  configureBuckets: [{ name: BUCKET, configs: [] }],
})
let collector: Awaited<ReturnType<typeof startTraceCollector>>
let vault: Awaited<ReturnType<typeof startVaultServer>>
let bucketPort: number

beforeAll(async () => {
  collector = await startTraceCollector()
  vault = await startVaultServer()
  bucketPort = (await bucket.run()).port
  const stopTracing = await startTracing({
    service: 'onboarding',
    mode: 'spans',
    endpoint: collector.endpoint,
    jobShare: 1,
  })
  await span.job('bucket', useBucket)
  await span.job('vault', useVault)
  for (const status of [204, 404, 503]) await span.job('answers', () => answer(status))
  await stopTracing()
})
afterAll(async () => {
  await vault.stop()
  await bucket.close()
  collector.stop()
  rmSync(folder, { recursive: true, force: true })
})

const useBucket = async (): Promise<void> => {
  const store = createS3Store({
    kind: 's3',
    endpoint: `http://127.0.0.1:${bucketPort}`,
    bucket: BUCKET,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  })
  const pieces = async function* () {
    yield Buffer.from('document')
  }
  await store.put('one', pieces())
  await store.get('none')
  await store.remove('one')
}

const useVault = async (): Promise<void> => {
  const tokenFile = join(folder, 'token')
  writeFileSync(tokenFile, vault.token)
  vault.createKey('onboarding')
  const config = { kind: 'vault', address: vault.address, mount: 'transit', tokenFile } as const
  await openTransit({ ...config, key: 'onboarding' })
  await openTransit({ ...config, key: 'unknown' }).catch(() => undefined)
}

const answer = (status: number): Promise<void> =>
  span.root('GET', 'server', {}, undefined, () => {
    span.describeAnswer(status)
    return Promise.resolve()
  })

test('records requests to the bucket and to Vault as client spans of their run, without paths', () => {
  const callsOf = (name: string) => {
    const root = collector.spans.find((found) => found.name === name)
    return collector.spans
      .filter(({ parentSpanId, kind }) => parentSpanId === root?.spanId && kind === CLIENT)
      .map(({ attributes }) => attributes)
  }
  const sent = (method: string, port: number) => ({
    'http.request.method': method,
    'server.address': '127.0.0.1',
    'server.port': port,
  })
  const called = (method: string, port: number, status: number) => ({
    ...sent(method, port),
    'http.response.status_code': status,
  })
  const vaultPort = Number(new URL(vault.address).port)
  expect(callsOf('bucket')).toEqual([
    called('PUT', bucketPort, 200),
    { ...sent('GET', bucketPort), 'error.type': 'NoSuchKey' },
    called('DELETE', bucketPort, 204),
  ])
  expect(callsOf('vault')).toEqual([
    called('POST', vaultPort, 200),
    { ...called('POST', vaultPort, 403), 'error.type': '403' },
  ])
  expect(collector.spans[0]?.resource).toMatchObject({
    'service.name': 'onboarding',
    'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('records an answer of 5xx as an error of the server, and one of 4xx as no error', () => {
  const answers = collector.spans.filter(({ kind }) => kind === SERVER)
  expect(answers.map(({ attributes, status }) => ({ ...attributes, code: status.code }))).toEqual([
    { 'http.response.status_code': 204, code: 0 },
    { 'http.response.status_code': 404, code: 0 },
    { 'http.response.status_code': 503, 'error.type': '503', code: 2 },
  ])
})
