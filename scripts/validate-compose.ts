/** `pnpm validate:compose`: validates docker-compose.yml with Docker's own tool. It needs no Docker engine. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const TOOLS = [['docker', 'compose'], ['docker-compose']] as const

const options = { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' } as const
const tool = TOOLS.find(
  ([command, ...args]) => spawnSync(command, [...args, 'version'], options).status === 0,
)

if (tool === undefined) {
  console.error('No docker compose here: apt-get install docker-compose')
  process.exitCode = 2
} else {
  const [command, ...args] = tool
  const { status, stderr } = spawnSync(
    command,
    [...args, '--profile', 'sandbox', 'config', '--quiet'],
    options,
  )
  console.log(status === 0 ? `docker-compose.yml is valid (${tool.join(' ')})` : stderr)
  process.exitCode = status ?? 1
}
