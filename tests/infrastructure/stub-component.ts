/** A stub of a component for tests of the supervision: ready immediately; ends on a signal or with its parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const refusing = process.env['STUB_REFUSES']
if (refusing !== undefined && refusing in process.env) {
  process.stderr.write('payments: Bad settings: EXAMPLE is not set\n')
  process.exit(1)
}
const server = createServer((_request, response) => response.end(JSON.stringify(process.env)))
const waiting = process.env['STUB_WAITS']
server.listen(0, '127.0.0.1', () => {
  // One that waits for another component, which does not come.
  if (waiting !== undefined && waiting in process.env) return
  process.send?.({ type: 'ready', healthPort: (server.address() as AddressInfo).port })
})
const stop = () => process.exit(0)
process.on('SIGTERM', stop)
process.on('disconnect', stop)
