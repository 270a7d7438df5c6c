/**
 * `pnpm generate:deployment`: writes `.env.example` and the Kubernetes manifests after a change of the
 * compose files, a setting or deploy/kubernetes; `--check` says
 * what is stale instead.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { kubernetesFiles } from '../deploy/kubernetes/manifests.ts'
import { envExample } from './deployment/env-example.ts'

const root = join(import.meta.dirname, '..')
const manifests = Object.entries(kubernetesFiles()).map(([name, text]) => [`deploy/kubernetes/${name}`, text])
const generated: Readonly<Record<string, string>> = {
  '.env.example': await envExample(),
  ...(Object.fromEntries(manifests) as Record<string, string>),
}

for (const [name, text] of Object.entries(generated)) {
  const path = join(root, name)
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${name} is not up to date: run "pnpm generate:deployment"`)
    process.exitCode = 1
  }
}
