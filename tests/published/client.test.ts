import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { MODULE_SYSTEMS, pack, PACKERS, readTarball, useInProject } from './packing.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-published-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Prints the refund of a made-up answer. The marked lines compile only if the types are there. */
const PROGRAM = `
import { ApiError, createPartnerClient } from '@causeway/client'
const answer = '{"request_id":"req_1","api_version":"2026-11-01","data":{"order_key":"7"}}'
const causeway = createPartnerClient({
  baseUrl: 'http://127.0.0.1:9',
  token: async () => 'token',
  fetch: async () => new Response(answer, { status: 201 }),
})
causeway.createRefund({ orderKey: '7', body: { amount_cents: 5 } }).then(
  (refund) => {
    // @ts-expect-error no such field
    if (refund.order_keys !== undefined) return
    // @ts-expect-error the amount is missing
    void (() => causeway.createRefund({ orderKey: '7', body: {} }))
    console.log(refund.order_key, ApiError.name)
  },
)
`

describe.each(PACKERS)('the client, packed by %s', (packer) => {
  let tarball: string
  beforeAll(async () => {
    tarball = await pack('client', packer, join(folder, packer))
  })

  test('passes publint', async () => {
    const { messages } = await publint({ pack: { tarball: readTarball(tarball).buffer }, strict: true })
    expect(messages).toEqual([])
  })

  test('has correct types for every way of importing it', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readTarball(tarball)))
    expect(analysis.types).toEqual({ kind: 'included' })
    expect('problems' in analysis && analysis.problems).toEqual([])
  })

  test.each(MODULE_SYSTEMS)('compiles and calls the API in an empty project of type %s', async (type) => {
    const lib = ['dom', 'dom.iterable', 'dom.asynciterable']
    const used = useInProject(tarball, type, { folder: join(folder, packer + type), program: PROGRAM, lib })
    expect(await used).toBe('7 ApiError\n')
  })
})
