import './global-setup.ts'

/** Stops the shared platforms and servers and removes their data. */
const globalTeardown = async (): Promise<void> => {
  await globalThis.causewayPlatformPool?.stop()
  await globalThis.causewayTestServers?.stop()
}

export default globalTeardown
