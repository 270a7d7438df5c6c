/**
 * `lost`: an acknowledged effect is not there; `doubled`: it is there twice; `wrong`: anything else that must not be.
 */
export type FindingKind = 'lost' | 'doubled' | 'wrong'
export type Finding = Readonly<{ kind: FindingKind; check: string; message: string }>

/** Counts what is checked, and keeps what is not as it must be. */
export const createFindings = () => {
  const found: Finding[] = []
  const checked = new Map<string, number>()
  return {
    found,
    checked,
    /** @param message called only for what is not as it must be */
    expect: (kind: FindingKind, check: string, holds: boolean, message: () => string): void => {
      checked.set(check, (checked.get(check) ?? 0) + 1)
      if (!holds) found.push({ kind, check, message: message() })
    },
  }
}
export type Findings = ReturnType<typeof createFindings>

/** Compares how often something is there with how often it must be. */
export const expectCount = (
  findings: Findings,
  check: string,
  actual: number,
  bounds: Readonly<{ min: number; max: number }>,
  what: () => string,
): void => {
  const message = () => `${what()}: ${actual}, not ${bounds.min} to ${bounds.max}`
  findings.expect('lost', check, actual >= bounds.min, message)
  findings.expect('doubled', check, actual <= bounds.max, message)
}
