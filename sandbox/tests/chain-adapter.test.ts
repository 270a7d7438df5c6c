import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { createSandboxChainAdapter } from '@causeway/rails/chains'
import { describeChainAdapter } from '@causeway/rails/tests/chain-adapter-suite'
import { control } from './control.ts'
import { startSandbox } from '../src/testing/index.ts'

describeChainAdapter('sandbox', async () => {
  const sandbox = await startSandbox({ chainPort: 0 })
  const adapterOf = (timeoutMs: number) =>
    createSandboxChainAdapter({ baseUrl: sandbox.chainUrl(), timeoutMs })
  const [adapter, impatient] = [adapterOf(TEST_DEADLINE_MS), adapterOf(1_000)]
  const callControl = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    const answer = await control(sandbox, method, path, body)
    if (answer.status !== 200) throw new Error(`the sandbox answered ${answer.status}`)
  }
  return {
    adapter,
    impatient,
    deposit: ({ orderId }, amount, confirmations) =>
      callControl('POST', '/control/deposits', { order_id: orderId, amount, confirmations }),
    confirm: ({ orderId }, confirmations) =>
      callControl('POST', '/control/confirmations', { order_id: orderId, confirmations }),
    fault: (mode) => callControl('PUT', '/control/faults', { target: 'chain', mode, calls: 'all' }),
    stop: async () => {
      await Promise.all([adapter.close(), impatient.close()])
      await sandbox.stop()
    },
  }
})
