export { explore, type Invariant, type Step, type StepRule } from './explorer.ts'
export { contextOf, createProcesses, type Body, type Outside, type Request } from './processes.ts'
export { createRowSpace, type Answer, type RowSpace, type StatementMutant } from './row-space.ts'
export { answered, createSystem, failed, type Reaction, type SystemState } from './system.ts'
