import type { BlockSource } from '../src/chains.ts'
import type { BlockSourceFixture } from './block-source-fixture.ts'
import { startFaultProxy } from './fault-proxy.ts'

/** Never met, however slow the machine is. */
const PATIENT_MS = 60_000
const IMPATIENT_MS = 500

/** Sources that reach the endpoint at this address through a proxy that can be made to fail. */
export const openBehindProxy = async (
  url: string,
  open: (url: string, timeoutMs: number) => BlockSource,
): Promise<Pick<BlockSourceFixture, 'source' | 'impatient' | 'fault'> & { close: () => Promise<void> }> => {
  const { username, password, host, pathname } = new URL(url)
  const proxy = await startFaultProxy(`http://${host}`)
  const user = username === '' ? '' : `${username}:${password}@`
  const address = `http://${user}127.0.0.1:${proxy.port}${pathname}`
  const [source, impatient] = [open(address, PATIENT_MS), open(address, IMPATIENT_MS)]
  return {
    source,
    impatient,
    fault: proxy.fault,
    close: async () => {
      await Promise.all([source.close(), impatient.close()])
      await proxy.stop()
    },
  }
}
