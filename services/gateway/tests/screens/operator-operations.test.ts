import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as contracts from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { operationRoutes } from '@causeway/contracts/http'

const SCREENS = fileURLToPath(new URL('../../../../packages/screens/src', import.meta.url))
/** The console's folder, and the webhook screens that it mounts. */
const FOLDERS = ['console', 'webhooks'].map((name) => join(SCREENS, name))

const BRAND = 'The people of a partner set it in the portal; staff only for those who cannot'

/** Operations of staff without a screen, each with its reason. */
const WITHOUT_SCREEN: Readonly<Record<string, string>> = {
  'onboarding.brands.get-by-staff': BRAND,
  'onboarding.brands.put-by-staff': BRAND,
  'onboarding.brands.put-logo-by-staff': BRAND,
  'onboarding.brands.delete-logo-by-staff': BRAND,
  'onboarding.documents.list-by-staff': 'A case shows its documents; this is for those past its first 100',
  'payments.orders.list-of-partner': 'The list of payments has a filter by partner; this is for the portal',
  'payments.late-payments.list': 'Unattributed money of the kind `late` shows the same',
  'ledger.payouts.get': 'The list of payouts shows the fields that staff act on',
  'onboarding.requirements.list-by-staff':
    'A case shows its requirements; this is for those past its first 100',
}

type Resource = Readonly<Record<string, Readonly<{ subject?: unknown }>>>

/** The subject of an operation by how a source names it: `partners.list`. */
const subjectOf = (resource: string, member: string): string | null => {
  const found = (contracts as unknown as Readonly<Record<string, Resource | undefined>>)[resource]?.[member]
  return typeof found?.subject === 'string' ? found.subject : null
}

/** The operations that the console's screens name. Screens ask by an operation's name alone, so none is hidden. */
const namedByScreens = (): ReadonlySet<string> => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const sources = files.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const text = sources.map((path) => readFileSync(path, 'utf8')).join('\n')
  return new Set(
    [...text.matchAll(/\b(\w+)\.(\w+)\b/g)].flatMap(([, resource = '', member = '']) => {
      const subject = subjectOf(resource, member)
      return subject === null ? [] : [subject]
    }),
  )
}

const ofStaff = operationRoutes.filter(({ role }) => role !== null).map(({ operation }) => operation.subject)

test('has a console screen for every staff operation', () => {
  const named = namedByScreens()
  const missing = ofStaff.filter((subject) => !named.has(subject) && WITHOUT_SCREEN[subject] === undefined)
  expect(missing).toEqual([])
})

test('lists no operation as without a screen that has one, or that is gone', () => {
  const named = namedByScreens()
  const listed = Object.keys(WITHOUT_SCREEN)
  expect(listed.filter((subject) => named.has(subject) || !ofStaff.includes(subject))).toEqual([])
})
