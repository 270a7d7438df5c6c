import { groupBy } from './journal.ts'
import type { SoakResult } from './soak.ts'

const SHOWN_FINDINGS = 20
const SHOWN_FAULTS = 10

const counts = <T>(items: readonly T[], nameOf: (item: T) => string): string[] =>
  [...groupBy(items, nameOf)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, own]) => `  ${String(own.length).padStart(7)}  ${name}`)

/** The findings of a soak with the faults before them, then its figures: a long log may be cut behind its beginning. */
export const reportOf = ({
  seed,
  loadMs,
  entries,
  faults,
  findings,
  diskSkipped,
  repeats,
}: SoakResult): string => {
  const ofKind = (kind: string) => findings.found.filter((finding) => finding.kind === kind).length
  const checked = [...findings.checked.values()].reduce((sum, count) => sum + count, 0)
  return [
    `Seed ${seed}, ${(loadMs / 60_000).toFixed(1)} minutes`,
    `lost ${ofKind('lost')}, doubled ${ofKind('doubled')}, wrong ${ofKind('wrong')}`,
    ...findings.found
      .slice(0, SHOWN_FINDINGS)
      .map(({ kind, check, message }) => `${kind}: ${check}: ${message}`),
    ...(findings.found.length === 0
      ? []
      : [
          `Repeat it with --seed ${seed}. The last faults:`,
          ...faults.slice(-SHOWN_FAULTS).map(({ atMs, what }) => `  ${(atMs / 1_000).toFixed(1)} s  ${what}`),
        ]),
    `${entries.length} calls`,
    ...counts(entries, ({ act, status }) => `${act} ${status === 0 ? 'no answer' : String(status)}`),
    `${faults.length} faults`,
    ...counts(faults, ({ kind }) => kind),
    ...(diskSkipped === null ? [] : [`  The disk was never full: ${diskSkipped}`]),
    `${checked} invariants checked`,
    ...[...findings.checked].map(([check, count]) => `  ${String(count).padStart(7)}  ${check}`),
    `${repeats} deliveries repeated at receivers that had taken them`,
  ].join('\n')
}
