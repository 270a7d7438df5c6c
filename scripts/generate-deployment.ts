/**
 * `pnpm generate:deployment`: writes `.env.example`, which git keeps, from the compose files and the settings; and the
 * Kubernetes manifests and the dashboard of Grafana, which git does not keep, to `deploy` or the folder after `--into`.
 * `--check` does not write `.env.example` and says when it is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { kubernetesFiles } from '../deploy/kubernetes/manifests.ts'
import { envExample } from './deployment/env-example.ts'
import { dashboard } from './monitoring/dashboard.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { check: { type: 'boolean' }, into: { type: 'string', default: join(root, 'deploy') } },
})
const manifests = Object.entries(kubernetesFiles()).map(
  ([name, text]) => [`kubernetes/${name}`, text] as const,
)
const files = new Map([
  ...manifests,
  ['monitoring/dashboard.json', `${JSON.stringify(dashboard, null, 2)}\n`],
])

for (const [name, text] of files) {
  const path = join(values.into, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const settings = join(root, '.env.example')
const wanted = await envExample()
if (values.check !== true) writeFileSync(settings, wanted)
else if (readFileSync(settings, 'utf8') !== wanted) {
  console.error('.env.example is stale. Run: npx -y pnpm@12 generate:deployment')
  process.exitCode = 1
}
