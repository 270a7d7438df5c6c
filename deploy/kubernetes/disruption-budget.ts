import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { metadataOf, selectorOf } from './names.ts'
import type { ProcessName } from './processes.ts'

/** Draining a node leaves at least one replica, whatever the number of replicas. */
export const disruptionBudgetOf = (name: ProcessName): PodDisruptionBudget =>
  new PodDisruptionBudget({
    metadata: metadataOf(name, selectorOf(name)),
    spec: { minAvailable: 1, selector: { matchLabels: selectorOf(name) } },
  })
