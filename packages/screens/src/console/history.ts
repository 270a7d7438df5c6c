import { audit, type AuditEntry } from '@causeway/contracts'
import type { z } from 'zod'
import { html, timeLine, type Html, type Moment } from '../design/index.ts'
import type { StaffRequest } from './frame.ts'
import { wordsOf } from './work/words.ts'

type Entry = z.output<typeof AuditEntry>

/** What staff did with one thing, as far back as was looked. */
export type StaffActions = Readonly<{ moments: readonly Moment[]; isWhole: boolean }>

/** Pages of the audit log that are read, each of at most 250 actions of whomever on whatever. */
const MAX_PAGES = 4
const ENTRIES_A_PAGE = 50

type Outcome = Readonly<{ outcome?: unknown; code?: unknown }>

/** A read has a state neither before nor after it: every look at the page is one. */
const isRead = ({ before, after }: Entry): boolean => before === null && after === null

/** An action without the service that carries it out: `onboarding.relationships.revoke` is "Relationships revoke". */
const titleOf = (action: string): string =>
  wordsOf(action.slice(action.indexOf('.') + 1).replaceAll('-', ' '))

const momentOf = ({ at, actor, action, after }: Entry): Moment => {
  const { outcome, code } = ((typeof after === 'object' ? after : null) as Outcome | null) ?? {}
  const by = html`by <code>${actor}</code>`
  if (outcome === 'refused')
    return { at, title: titleOf(action), text: html`${by}, refused: ${String(code)}`, tone: 'bad' }
  if (outcome === 'held')
    return { at, title: titleOf(action), text: html`asked for ${by}, needs a second person`, tone: 'warning' }
  if (outcome === 'started')
    return { at, title: titleOf(action), text: html`${by}, its end is not recorded`, tone: 'warning' }
  return { at, title: titleOf(action), text: by }
}

/** What staff did with the thing that an id names, of the newest actions in the audit log. Reads are left out. */
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

/** The time line of a thing: what happened to it, and what staff did, oldest first. */
export const historyOf = (id: string, moments: readonly Moment[], actions: StaffActions): Html =>
  html`${timeLine(
      'What happened',
      [...moments, ...actions.moments].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    )}
    <p class="hint">
      ${!actions.isWhole && 'Earlier actions of staff may be missing here. '}<a
        href="/console/audit?target=${encodeURIComponent(id)}"
        >All that staff did and read, in the audit log</a
      >
    </p>`
