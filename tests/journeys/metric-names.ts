/** Metrics of one part of an expression, and the labels that it requires of them. */
type Wanted = Readonly<{ metrics: readonly string[]; labels: readonly string[] }>

/** Metrics of the platform; `up` and others are Prometheus' own. */
const METRIC = /\b(?:causeway|http|nodejs|process)_\w+/g
const MATCHERS = /\{([^}]*)\}/g
const GROUPED = /\b(?:by|on|without) \(([^)]*)\)/g
/** Labels that Prometheus adds to what it scrapes. */
const ADDED = new Set(['instance', 'job'])

const wantedByPart = (expr: string): Wanted => {
  const matchers = [...expr.matchAll(MATCHERS)].flatMap(([, text = '']) => text.split(/,(?=\w+[=!])/))
  const grouped = [...expr.matchAll(GROUPED)].flatMap(([, text = '']) => text.split(','))
  const labels = [...matchers.map((matcher) => matcher.split(/[=!]/)[0] ?? ''), ...grouped]
  // Labels are named in front of values, within braces and parentheses: what is left are metrics.
  const metrics = expr.replaceAll(MATCHERS, '').replaceAll(GROUPED, '').match(METRIC) ?? []
  return {
    metrics: [...new Set(metrics)],
    labels: [...new Set(labels.map((label) => label.trim()))].filter(
      (label) => label !== '' && !ADDED.has(label),
    ),
  }
}

/** Returns what each alternative of an expression requires: those joined by `or` are evaluated separately. */
export const wantedBy = (expr: string): Wanted[] => expr.split(/\bor\b/).map(wantedByPart)

const namesOf = (name: string, type: string): string[] =>
  type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name]

/**
 * The metrics of scrapes in Prometheus' text format, each with the labels of its samples; null for one that has none
 * yet, as a counter with labels before its first count.
 */
export const exportedBy = (scrapes: readonly string[]): ReadonlyMap<string, ReadonlySet<string> | null> => {
  const exported = new Map<string, Set<string> | null>()
  for (const [, name = '', type = ''] of scrapes.join('\n').matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const each of namesOf(name, type)) exported.set(each, exported.get(each) ?? null)
  for (const [, name = '', labels = ''] of scrapes.join('\n').matchAll(/^([a-z]\w*)(?:\{([^}]*)\})? /gm)) {
    const known = exported.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    exported.set(name, known)
  }
  return exported
}
