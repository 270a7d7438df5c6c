/**
 * `pnpm validate:compose`: validates the compose files, alone, with the sandbox and with backups, with Docker's own tool and the
 * settings of `.env.example`. It needs no Docker engine.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { BACKUP_OVERLAY, PRODUCTION, SANDBOX_OVERLAY } from './deployment/compose.ts'

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
  const forms = [[PRODUCTION], [PRODUCTION, SANDBOX_OVERLAY], [PRODUCTION, BACKUP_OVERLAY]]
  for (const files of forms) {
    const named = files.flatMap((file) => ['--file', file])
    const { status, stderr } = spawnSync(
      command,
      [...args, '--env-file', '.env.example', ...named, 'config', '--quiet'],
      options,
    )
    console.log(status === 0 ? `${files.join(' with ')} is valid (${tool.join(' ')})` : stderr)
    process.exitCode ||= status ?? 1
  }
}
