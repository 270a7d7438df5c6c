import type { IEnvVar } from 'kubernetes-models/v1/EnvVar'
import { SETTINGS_MAP } from './names.ts'
import type { Process } from './processes.ts'

const fromOperator = (name: string): IEnvVar => ({
  name,
  valueFrom: { configMapKeyRef: { name: SETTINGS_MAP, key: name, optional: true } },
})

/** The settings of a process: fixed ones, and those that the operator may set. */
export const environmentOf = ({ environment }: Process): IEnvVar[] =>
  Object.entries(environment).map(([name, value]) => (value === null ? fromOperator(name) : { name, value }))
