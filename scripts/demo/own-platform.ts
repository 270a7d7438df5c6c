import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPlatform, type PlatformOptions } from '@causeway/dev-env/platform/platform'

/** Starts a platform for a demo alone, on free ports, whose data goes with it. */
export const startOwnPlatform = async (options: Pick<PlatformOptions, 'env'> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'causeway-demo-'))
  const log = (line: string) => console.log(`  ${line}`)
  const platform = await startPlatform({ ...options, dataDir, ports: 'free', log })
  if (platform.partner === null) throw new Error('The platform started without its ready partner')
  return {
    ...platform,
    partner: platform.partner,
    stop: async () => {
      await platform.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
