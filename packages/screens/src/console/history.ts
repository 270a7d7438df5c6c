import { audit, type AuditEntry } from '@causeway/contracts'
import type { z } from 'zod'
import { html, timeLine, type Html, type Moment } from '../design/index.ts'
import type { StaffRequest } from './frame.ts'
import { actOf } from './audit/acts.ts'
import { personOf } from './work/words.ts'

type Entry = z.output<typeof AuditEntry>

/** Staff actions on one target. `isWhole` is false if older ones were not read. */
export type StaffActions = Readonly<{ moments: readonly Moment[]; isWhole: boolean }>

/** Maximum pages of the audit log to read. */
const MAX_PAGES = 4
const ENTRIES_A_PAGE = 50

type Outcome = Readonly<{ outcome?: unknown; code?: unknown }>

/** Reads are recorded without state. Each view of a page is one. */
const isRead = ({ before, after }: Entry): boolean => before === null && after === null

const momentOf = ({ at, actor, actor_name: name, action, after }: Entry): Moment => {
  const { outcome, code }: Outcome = (typeof after === 'object' ? after : null) ?? {}
  const by = html`by ${personOf(actor, name)}`
  if (outcome === 'refused')
    return { at, title: actOf(action), text: html`${by}, refused: ${String(code)}`, tone: 'bad' }
  if (outcome === 'held')
    return { at, title: actOf(action), text: html`requested ${by}, needs a second person`, tone: 'warning' }
  if (outcome === 'started')
    return { at, title: actOf(action), text: html`${by}, outcome not recorded`, tone: 'warning' }
  return { at, title: actOf(action), text: by }
}

/** Reads the newest staff actions on a target from the audit log, without reads. */
export const readStaffActions = async (
  { ask }: Pick<StaffRequest, 'ask'>,
  id: string,
): Promise<StaffActions> => {
  const moments: Moment[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query: z.input<(typeof audit)['list']['query']> = {
      target: id,
      order: 'newest',
      limit: ENTRIES_A_PAGE,
      ...(cursor === null ? {} : { cursor }),
    }
    const reply = await ask(audit.list, { query })
    if (!reply.ok) return { moments, isWhole: false }
    moments.push(...reply.value.entries.filter((entry) => !isRead(entry)).map(momentOf))
    cursor = reply.value.next_cursor
    if (cursor === null) return { moments, isWhole: true }
  }
  return { moments, isWhole: false }
}

/** Renders the timeline of a target with its events and staff actions, oldest first. */
export const historyOf = (id: string, moments: readonly Moment[], actions: StaffActions): Html =>
  html`${timeLine(
      'What happened',
      [...moments, ...actions.moments].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    )}
    <p class="hint">
      ${!actions.isWhole && 'Earlier staff actions may be missing here. '}<a
        href="/console/audit?target=${encodeURIComponent(id)}"
        >All staff actions and reads in the audit log</a
      >
    </p>`
