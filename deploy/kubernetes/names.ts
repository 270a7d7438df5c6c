import type { ProcessName } from './processes.ts'

export const NAMESPACE = 'causeway'
/** The operator's settings, made from the same `.env` as for Compose. */
export const SETTINGS_MAP = 'causeway-settings'
export const secretsOf = (name: ProcessName): string => `${name}-secrets`

export const HEALTH_PORT = 9090
export const API_PORT = 8080

const PART_OF = { 'app.kubernetes.io/part-of': 'causeway' }

/** Returns the labels that select the pods of one process. */
export const selectorOf = (name: ProcessName) => ({ ...PART_OF, 'app.kubernetes.io/name': name })

export const metadataOf = (name: string, labels: Readonly<Record<string, string>> = PART_OF) => ({
  name,
  namespace: NAMESPACE,
  labels: { ...labels },
})
