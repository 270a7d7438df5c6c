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

/** Prints the event's type, and the code of a forged delivery. The marked line compiles only if the types are there. */
const PROGRAM = `
import { VerificationError, verifyPartnerEvent } from '@causeway/webhook-verifier'
declare const console: { log: (line: string) => void }
const key = '3b7f5cf9a2d04e8c91b6d7e05a48f3c2e1907d6b5a4c3f2e1d0c9b8a79685746'
const body = '{"event_id":"evt_1","event_type":"refund.completed","data":{}}'
const options = { now: new Date(1795000002000) }
const headers = { 'x-timestamp': '1795000000', 'x-signature': 'v1=484879537d780c570bb601c0f25a6cfb2f0e4454b4797a0edc9a63d18c2b1037' }
const judge = async (text: string): Promise<string> => {
  try {
    const event = await verifyPartnerEvent(text, headers, key, options)
    // @ts-expect-error no event has this type
    if (event.event_type === 'refund.compleated') return 'never'
    return event.event_type
  } catch (error) {
    return error instanceof VerificationError ? error.code : String(error)
  }
}
void judge(body).then(async (first) => console.log(first + ' ' + (await judge(body + ' '))))
`

describe.each(PACKERS)('the webhook verifier, packed by %s', (packer) => {
  let tarball: string
  beforeAll(async () => {
    tarball = await pack('webhook-verifier', packer, join(folder, packer))
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

  test.each(MODULE_SYSTEMS)(
    'compiles and verifies a delivery in an empty project of type %s',
    async (type) => {
      const used = useInProject(tarball, type, {
        folder: join(folder, packer + type),
        program: PROGRAM,
        lib: [],
      })
      expect(await used).toBe('refund.completed no_matching_signature\n')
    },
  )
})
