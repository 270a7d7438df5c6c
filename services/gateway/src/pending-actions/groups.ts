/** Groups of actions of staff that need two persons where the setting FOUR_EYES names them (decisions §14). */
export const FOUR_EYES = [
  'approval',
  'reinstatement',
  'keys',
  'money',
  'webhooks',
  'agreements',
  'erasure',
] as const
export type FourEyes = (typeof FOUR_EYES)[number]

/** The groups that need two persons. @param named undefined where the setting is not set */
export const fourEyesOf = (
  named: readonly FourEyes[] | undefined,
  { hasSigner }: Readonly<{ hasSigner: boolean }>,
): ReadonlySet<FourEyes> => new Set(named ?? (hasSigner ? ['money' as const] : []))
