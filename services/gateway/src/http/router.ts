/** A path of the table: its endpoints by method, and the raw values of its parameters in path order. */
export type Match<E> = Readonly<{ methods: ReadonlyMap<string, E>; values: readonly string[] }>

type Node<E> = { children: Map<string, Node<E>>; parameter: Node<E> | null; methods: Map<string, E> }

/** One endpoint of the table: a path such as `/customers/:customerId` under one method. */
export type Entry<E> = Readonly<{ method: string; path: string; endpoint: E }>

const emptyNode = <E>(): Node<E> => ({ children: new Map(), parameter: null, methods: new Map() })

const segmentsOf = (path: string): string[] => path.split('/').slice(1)

const insert = <E>(root: Node<E>, entry: Entry<E>) => {
  let node = root
  for (const segment of segmentsOf(entry.path)) {
    if (segment.startsWith(':')) node = node.parameter ??= emptyNode()
    else {
      const next = node.children.get(segment) ?? emptyNode<E>()
      node.children.set(segment, next)
      node = next
    }
  }
  if (node.methods.has(entry.method)) throw new Error(`${entry.method} ${entry.path} is in the table twice`)
  node.methods.set(entry.method, entry.endpoint)
}

/** A literal segment takes precedence over a parameter; a parameter does not match an empty segment. */
const walk = <E>(node: Node<E>, path: string, from: number, values: string[]): Node<E> | null => {
  if (from > path.length) return node.methods.size > 0 ? node : null
  const slash = path.indexOf('/', from)
  const end = slash === -1 ? path.length : slash
  const segment = path.slice(from, end)
  const literal = node.children.get(segment)
  const found = literal === undefined ? null : walk(literal, path, end + 1, values)
  if (found !== null || node.parameter === null || segment === '') return found
  values.push(segment)
  const through = walk(node.parameter, path, end + 1, values)
  if (through === null) values.pop()
  return through
}

/**
 * Compiles the route table into a tree of path segments: a look-up takes one step per segment, and finds all methods of
 * a path, for the answer 405 (RFC 9110 §15.5.6). Paths are compared exactly, with case and trailing slash.
 */
export const compileRoutes = <E>(
  entries: readonly Entry<E>[],
): { match: (path: string) => Match<E> | null } => {
  const root = emptyNode<E>()
  for (const entry of entries) insert(root, entry)
  return {
    match(path) {
      const values: string[] = []
      const node = walk(root, path, 1, values)
      return node === null ? null : { methods: node.methods, values }
    },
  }
}

/** Value of the header `Allow` for a path; GET implies HEAD. */
export const allowOf = (methods: ReadonlyMap<string, unknown>): string =>
  [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
