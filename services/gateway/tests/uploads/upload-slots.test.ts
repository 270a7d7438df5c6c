import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { newPartner } from '../fixtures/running-gateway.ts'
import { fileOf, FORM_TYPE, formOf, largePdf, openUploadFixture, PATH, PDF, TYPE_PART } from './fixture.ts'

const SLOTS = 8

let fixture: Awaited<ReturnType<typeof openUploadFixture>>
let slow: Socket[] = []
beforeAll(async () => {
  fixture = await openUploadFixture()
})
beforeEach(() => {
  fixture.forget()
  slow = []
})
afterEach(async () => {
  for (const socket of slow) socket.destroy()
  await eventually(() => fixture.script.discarded.length >= slow.length)
})
afterAll(() => fixture.close())

const HEAD = [`POST ${PATH} HTTP/1.1`, `Content-Type: ${FORM_TYPE}`, 'Content-Length: 5000000']
const beginSlow = () => fixture.beginRequest(HEAD, formOf([TYPE_PART, fileOf(largePdf(50_000))], ''))
/** Occupies every slot of the client by uploads whose files never end. */
const takeAll = async () => {
  slow = Array.from({ length: SLOTS }, beginSlow)
  await eventually(() => fixture.script.created === SLOTS)
}
const uploadOf = (token: string) =>
  fixture.replica.call('POST', PATH, {
    token,
    raw: formOf([TYPE_PART, fileOf(PDF)]),
    headers: { 'content-type': FORM_TYPE },
  })

test('answers 429 with Retry-After to a client’s ninth concurrent upload, and does not delay another partner', async () => {
  const { token } = await newPartner(fixture.replica)
  await takeAll()
  const ninth = await uploadOf(fixture.token)
  expect([ninth.status, ninth.code, ninth.headers['retry-after']]).toEqual([429, 'rate_limited', '1'])
  expect((await uploadOf(token)).status).toBe(201)
})

test('releases the slot of a caller that hangs up', async () => {
  await takeAll()
  expect((await uploadOf(fixture.token)).status).toBe(429)
  slow[0]?.destroy()
  await eventually(async () => (await uploadOf(fixture.token)).status === 201)
})

test('releases the slot of a refused upload', async () => {
  for (let round = 0; round < SLOTS + 1; round += 1) {
    expect((await fixture.post('no form', FORM_TYPE)).status).toBe(400)
    expect((await fixture.postForm([TYPE_PART, fileOf(Buffer.from('GIF89a'))])).status).toBe(400)
    fixture.script.refuseCreate = true
    expect((await fixture.postForm([TYPE_PART, fileOf(PDF)])).status).toBe(409)
    fixture.script.refuseCreate = false
  }
  expect((await uploadOf(fixture.token)).status).toBe(201)
})
