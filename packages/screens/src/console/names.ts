import { customers, ID_PREFIXES, MAX_NAMES, partners } from '@causeway/contracts'
import { html, type Html } from '../design/index.ts'
import type { StaffRequest } from './frame.ts'
import { customerPath } from './work/paths.ts'
import { idLink } from './work/words.ts'

/** Names of customers, merchants and partners by id. Ids whose name is unknown or temporarily unavailable are missing. */
export type Names = ReadonlyMap<string, string>

const PREFIXES = [ID_PREFIXES.relationship, ID_PREFIXES.merchant, ID_PREFIXES.partner]
const ID = new RegExp(`\\b(?:${PREFIXES.join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}\\b`, 'g')

const isPartner = (id: string): boolean => id.startsWith(`${ID_PREFIXES.partner}_`)

const idsIn = (data: unknown): string[] => [...new Set(JSON.stringify(data).match(ID))]

/** Returns groups of at most {@link MAX_NAMES} ids. */
const groupsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_NAMES) }, (_, index) =>
    ids.slice(index * MAX_NAMES, (index + 1) * MAX_NAMES),
  )

/**
 * Reads the names of the customers, merchants and partners whose ids are in the data of a page: one request per service
 * and 100 ids. A name that cannot be read is left out, so the page shows the id alone.
 */
export const readNames = async ({ ask }: Pick<StaffRequest, 'ask'>, data: unknown): Promise<Names> => {
  const ids = idsIn(data)
  const [ofPartners, ofOthers] = [ids.filter(isPartner), ids.filter((id) => !isPartner(id))].map(groupsOf)
  const names = new Map<string, string>()
  const read = async (
    operation: typeof customers.listNames | typeof partners.listNames,
    groups: string[][],
  ) => {
    for (const group of groups) {
      // Whatever the error: a page does not fail for its names.
      const reply = await ask(operation, { body: { ids: group } }).catch(() => null)
      if (reply?.ok !== true) return
      for (const { id, name } of reply.value.names) names.set(id, name)
    }
  }
  await Promise.all([read(customers.listNames, ofOthers ?? []), read(partners.listNames, ofPartners ?? [])])
  return names
}

/** Returns the page of a customer, a merchant or a partner. */
const pathOf = (id: string): string => {
  if (isPartner(id)) return `/console/partners/${id}`
  return id.startsWith(`${ID_PREFIXES.merchant}_`) ? `/console/merchants/${id}` : customerPath(id)
}

/** Links to a customer, a merchant or a partner by its name, followed by its id. Without a name the id is the link. */
export const namedLink = (id: string, names: Names): Html => {
  const name = names.get(id)
  return name === undefined
    ? idLink(pathOf(id), id)
    : html`<a href="${pathOf(id)}">${name}</a> <code class="hint">${id}</code>`
}

/** Renders the names of the ids in a text, such as the target of an action; empty if none is known. */
export const namesIn = (text: string, names: Names): string =>
  idsIn(text)
    .flatMap((id) => names.get(id) ?? [])
    .join(', ')
