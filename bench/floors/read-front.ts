/** The floor's HTTP process: bare express, one NATS request, zod on the way in and out; no authentication, no checks. */
import { connect } from '@nats-io/transport-node'
import express from 'express'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { childArgument, serveParent } from '../parts/child-main.ts'
import { FLOOR_PARTNER, FLOOR_SUBJECT, FloorCustomer, FloorRequest } from './read-contract.ts'

const { natsPort } = (await childArgument()) as { natsPort: number }
const nats = await connect({ servers: `127.0.0.1:${natsPort}`, noAsyncTraces: true })
const Params = z.object({ customerId: z.string().min(1) })

const app = express()
app.get('/customers/:customerId', async (request, response) => {
  const { customerId } = Params.parse(request.params)
  const requestId = randomUUID()
  const message = FloorRequest.parse({ requestId, partnerId: FLOOR_PARTNER, customerId })
  const reply = await nats.request(FLOOR_SUBJECT, JSON.stringify(message), { timeout: 5_000 })
  response.json({ request_id: requestId, api_version: '2026-11-01', data: FloorCustomer.parse(reply.json()) })
})
const server = app.listen(0, '127.0.0.1', () => {
  serveParent((server.address() as AddressInfo).port, () => Promise.resolve(null))
})
