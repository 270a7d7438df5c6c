/**
 * `pnpm generate:reference`: writes docs/reference from the route table, the contracts, the table of errors, the
 * settings of every process, the commands of the command line, the suite of hostile receivers and the imports of the services' folders. `--check` writes
 * nothing and names the files that are stale.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderCommandLine } from '@causeway/cli'
import type { Setting } from '../packages/chassis/src/settings/index.ts'
import { SETTINGS as sandbox } from '../sandbox/src/config.ts'
import { SETTINGS as gateway } from '../services/gateway/src/config.ts'
import {
  renderErrors,
  renderReference,
  renderSettings,
  type DescribedSetting,
} from '../services/gateway/src/reference/markdown.ts'
import { renderEvents } from '../services/gateway/src/reference/events-page.ts'
import { readExamples } from '../services/gateway/src/reference/examples.ts'
import { describeApi, describeOperatorApi } from '../services/gateway/src/reference/openapi.ts'
import { SETTINGS as onboarding } from '../services/onboarding/src/config.ts'
import { SETTINGS as onramp } from '../services/onramp/src/config.ts'
import { SETTINGS as signer } from '../services/signer/src/config.ts'
import { SETTINGS as payments } from '../services/payments/src/config.ts'
import { SETTINGS as refunds } from '../services/refunds/src/config.ts'
import { SETTINGS as webhooks } from '../services/webhooks/src/config.ts'
import { renderReceivers } from '../services/webhooks/tests/hostile/page.ts'
import { renderBus } from './asyncapi/document.ts'
import { renderLogEvents } from './structure/log-events-page.ts'
import { renderStructure } from './structure/page.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'docs', 'reference')
const BASE_URL = 'http://127.0.0.1:8080'

const PROCESSES: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = {
  gateway,
  onboarding,
  payments,
  refunds,
  webhooks,
  onramp,
  signer,
  sandbox,
}

/** Every setting once, with all processes that read it, described as by the first of them. */
const describeSettings = (): DescribedSetting[] => {
  const settings = new Map<string, DescribedSetting>()
  for (const [process, table] of Object.entries(PROCESSES))
    for (const [name, { doc, default: fallback = '' }] of Object.entries(table)) {
      const described = settings.get(name) ?? { name, doc, default: fallback, processes: [] }
      settings.set(name, { ...described, processes: [...described.processes, process] })
    }
  return [...settings.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** The reference's files by name. */
const referenceFiles = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([
    ['api.md', renderReference([describeApi(BASE_URL), describeOperatorApi(BASE_URL)])],
    ['events.md', renderEvents(describeApi(BASE_URL), readExamples(BASE_URL).events)],
    ['asyncapi.json', renderBus()],
    ['errors.md', renderErrors()],
    ['settings.md', renderSettings(describeSettings())],
    ['receivers.md', renderReceivers()],
    ['structure.md', await renderStructure(ROOT)],
    ['cli.md', renderCommandLine()],
    ['log-events.md', await renderLogEvents(ROOT)],
  ])

const staleFiles = async (files: ReadonlyMap<string, string>): Promise<string[]> => {
  const found = await Promise.all(
    [...files].map(async ([name, text]) =>
      (await readFile(join(FOLDER, name), 'utf8').catch(() => '')) === text ? [] : [name],
    ),
  )
  return found.flat()
}

const files = await referenceFiles()
const stale = await staleFiles(files)
if (process.argv.includes('--check')) {
  if (stale.length > 0) console.error(`Stale: ${stale.join(', ')}. Run: npx -y pnpm@12 generate:reference`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  await mkdir(FOLDER, { recursive: true })
  for (const [name, text] of files) await writeFile(join(FOLDER, name), text)
  console.log(stale.length === 0 ? 'The reference was up to date' : `Written: ${stale.join(', ')}`)
}
