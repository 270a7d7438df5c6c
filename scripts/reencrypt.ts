/** `pnpm reencrypt <service>`: rotates the data key of a service, on the database of a local start by default. */
import { ownerOf } from '@causeway/dev-env/infrastructure/postgres-databases'
import { settingsOfService } from '@causeway/dev-env/platform/local-service'
import { isSealing, SEALING_SERVICES } from '@causeway/dev-env/platform/service-keys'
import { databaseSetting } from '@causeway/dev-env/platform/settings'

const fail = (line: string): never => {
  console.error(line)
  process.exit(1)
}

const [name = ''] = process.argv.slice(2)
if (!isSealing(name)) fail(`Usage: npx -y pnpm@12 reencrypt ${SEALING_SERVICES.join('|')}`)
else {
  const settings = settingsOfService(name, process.env)
  if (settings === null)
    fail(
      `No platform runs here: start it, set DATA_DIR as at its start, or set ${databaseSetting(name)} and the keys of ${name}`,
    )
  Object.assign(process.env, settings)
  await import(`../services/${ownerOf(name)}/src/reencrypt.ts`)
}
