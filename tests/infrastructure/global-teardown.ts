import './global-setup.ts'

/** Stops the shared servers and removes their data. */
const globalTeardown = async (): Promise<void> => {
  await globalThis.causewayTestServers?.stop()
}

export default globalTeardown
