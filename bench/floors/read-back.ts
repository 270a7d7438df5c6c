/** The floor's service process: one NATS subscription, one named statement by key on a pool of 8, zod at both ends. */
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { childArgument, serveParent } from '../parts/child-main.ts'
import { FLOOR_SUBJECT, FloorCustomer, FloorRequest } from './read-contract.ts'

const { natsPort, databaseUrl } = (await childArgument()) as { natsPort: number; databaseUrl: string }
const nats = await connect({ servers: `127.0.0.1:${natsPort}`, noAsyncTraces: true })
const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 })

type Row = {
  id: string
  merchant_id: string
  external_id: string
  status: string
  created_at: Date
  email: string
  name: string | null
  country: string | null
  merchant_created_at: Date
}

const read = async (partnerId: string, customerId: string): Promise<Row> => {
  const result = await pool.query<Row>({
    name: 'floor.read',
    text: `SELECT id, merchant_id, external_id, status, created_at, email, name, country, merchant_created_at
           FROM floor_customers WHERE partner_id = $1 AND id = $2`,
    values: [partnerId, customerId],
  })
  const [row] = result.rows
  if (row === undefined) throw new Error('The floor was asked for a customer that it does not have')
  return row
}

nats.subscribe(FLOOR_SUBJECT, {
  queue: 'floor',
  callback: (_error, message) => {
    const { partnerId, customerId } = FloorRequest.parse(message.json())
    void read(partnerId, customerId).then((row) => {
      const customer = FloorCustomer.parse({
        partner_customer_id: row.id,
        customer_id: row.merchant_id,
        external_customer_id: row.external_id,
        relationship_status: row.status,
        created_at: row.created_at.toISOString(),
        customer: {
          email: row.email,
          name: row.name,
          country: row.country,
          created_at: row.merchant_created_at.toISOString(),
        },
      })
      message.respond(JSON.stringify(customer))
    })
  },
})
await nats.flush()
serveParent('ready', () => Promise.resolve(null))
