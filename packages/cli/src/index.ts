export { readEnvironment, type Environment } from './config.ts'
export { run } from './run.ts'
