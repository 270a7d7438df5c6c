import { createSandboxChainAdapter } from '@causeway/rails'
import { describeChainAdapter } from '@causeway/rails/tests/chain-adapter-suite'
import { control } from './control.ts'
import { startSandbox } from './sandbox-fixture.ts'

describeChainAdapter('sandbox', async () => {
  const sandbox = await startSandbox({ chainPort: 0 })
  const adapter = createSandboxChainAdapter({ baseUrl: sandbox.chainUrl(), timeoutMs: 1_500 })
  const callControl = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    const answer = await control(sandbox, method, path, body)
    if (answer.status !== 200) throw new Error(`the sandbox answered ${answer.status}`)
  }
  return {
    adapter,
    deposit: ({ orderId }, amount, confirmations) =>
      callControl('POST', '/control/deposits', { order_id: orderId, amount, confirmations }),
    confirm: ({ orderId }, confirmations) =>
      callControl('POST', '/control/confirmations', { order_id: orderId, confirmations }),
    fault: (mode) => callControl('PUT', '/control/faults', { target: 'chain', mode, calls: 'all' }),
    stop: async () => {
      await adapter.close()
      await sandbox.stop()
    },
  }
})
