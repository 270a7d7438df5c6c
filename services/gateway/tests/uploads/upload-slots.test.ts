import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { newPartner } from '../fixtures/running-gateway.ts'
import { fileOf, FORM_TYPE, formOf, largePdf, openUploadStage, PATH, PDF, TYPE_PART } from './stage.ts'

const PLACES = 8

let stage: Awaited<ReturnType<typeof openUploadStage>>
let slow: Socket[] = []
beforeAll(async () => {
  stage = await openUploadStage()
})
beforeEach(() => {
  stage.forget()
  slow = []
})
afterEach(async () => {
  for (const socket of slow) socket.destroy()
  await eventually(() => stage.script.discarded.length >= slow.length)
})
afterAll(() => stage.close())

const HEAD = [`POST ${PATH} HTTP/1.1`, `Content-Type: ${FORM_TYPE}`, 'Content-Length: 5000000']
const beginSlow = () => stage.beginRequest(HEAD, formOf([TYPE_PART, fileOf(largePdf(50_000))], ''))
/** Takes every place of the client by uploads whose files never end. */
const takeAll = async () => {
  slow = Array.from({ length: PLACES }, beginSlow)
  await eventually(() => stage.script.begun === PLACES)
}
const uploadOf = (token: string) =>
  stage.replica.call('POST', PATH, {
    token,
    raw: formOf([TYPE_PART, fileOf(PDF)]),
    headers: { 'content-type': FORM_TYPE },
  })

test('the ninth upload of a client at once is 429 with Retry-After, and another partner is not held up', async () => {
  const { token } = await newPartner(stage.replica)
  await takeAll()
  const ninth = await uploadOf(stage.token)
  expect([ninth.status, ninth.code, ninth.headers['retry-after']]).toEqual([429, 'rate_limited', '1'])
  expect((await uploadOf(token)).status).toBe(201)
})

test('a caller that hangs up gives its place back', async () => {
  await takeAll()
  expect((await uploadOf(stage.token)).status).toBe(429)
  slow[0]?.destroy()
  await eventually(async () => (await uploadOf(stage.token)).status === 201)
})

test('whatever is refused gives its place back', async () => {
  for (let round = 0; round < PLACES + 1; round += 1) {
    expect((await stage.post('no form', FORM_TYPE)).status).toBe(400)
    expect((await stage.postForm([TYPE_PART, fileOf(Buffer.from('GIF89a'))])).status).toBe(400)
    stage.script.refuseCreate = true
    expect((await stage.postForm([TYPE_PART, fileOf(PDF)])).status).toBe(409)
    stage.script.refuseCreate = false
  }
  expect((await uploadOf(stage.token)).status).toBe(201)
})
