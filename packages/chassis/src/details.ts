import type { ErrorDetail, FieldReason } from '@causeway/contracts'

/** Most entries of an error's `details` (decisions §18). */
const MAX_DETAILS = 20
/** Longest `field` of an entry, in UTF-16 units: a hostile key is not echoed whole (decisions §18). */
const MAX_FIELD_LENGTH = 100

/** A bad field: the keys and indices that lead to it. Empty means the body as a whole. */
type FieldPath = readonly PropertyKey[]
/** Accepted values for a refused field: a list if there are few, otherwise a description; `hint` is a sentence more. */
export type Hint = Readonly<{ allowed?: readonly unknown[]; expected?: string; hint?: string }>
type Node = { isAdded: boolean; children: Map<PropertyKey, Node> | null }

const newNode = (): Node => ({ isAdded: false, children: null })

/** Cuts between characters, and replaces characters that PostgreSQL or JSON parsers refuse. */
const cut = (name: string): string => {
  const head = name.slice(0, MAX_FIELD_LENGTH)
  const splitsPair = name.length > MAX_FIELD_LENGTH && !head.isWellFormed() && /[\ud800-\udbff]$/.test(head)
  return (splitsPair ? head.slice(0, -1) : head).toWellFormed().replaceAll('\u0000', '\ufffd')
}

/** The dotted path, cut to {@link MAX_FIELD_LENGTH}. Each key is cut before joining, so that long keys cost little. */
const fieldOf = (path: FieldPath): string =>
  path.length === 0 ? 'body' : cut(path.map((key) => String(key).slice(0, MAX_FIELD_LENGTH + 1)).join('.'))

/**
 * Collects the bad fields of a request, each once. At most 20 entries are listed: of more fields the first 19 and how
 * many were left out (decisions §18).
 */
export const createDetails = () => {
  const root = newNode()
  const first: Readonly<{ field: string; reason: FieldReason } & Hint>[] = []
  let count = 0

  // A tree of keys instead of a set of paths, so that a long path need not be joined to be compared.
  const nodeOf = (path: FieldPath): Node =>
    path.reduce<Node>((parent, key) => {
      const children = (parent.children ??= new Map<PropertyKey, Node>())
      const node = children.get(key) ?? newNode()
      children.set(key, node)
      return node
    }, root)

  return {
    /** @param hint computed only if the entry is listed */
    add(path: FieldPath, reason: FieldReason, hint: Hint | (() => Hint) = {}): void {
      const node = nodeOf(path)
      if (node.isAdded) return
      node.isAdded = true
      count += 1
      if (count > MAX_DETAILS) return
      first.push({ field: fieldOf(path), reason, ...(typeof hint === 'function' ? hint() : hint) })
    },
    /** Checks whether this exact field was added. */
    has: (path: FieldPath): boolean => nodeOf(path).isAdded,
    isEmpty: (): boolean => count === 0,
    list(): readonly ErrorDetail[] {
      if (count <= MAX_DETAILS) return first
      const shown = MAX_DETAILS - 1
      return [...first.slice(0, shown), { reason: 'more', count: count - shown }]
    },
  }
}
export type Details = ReturnType<typeof createDetails>
