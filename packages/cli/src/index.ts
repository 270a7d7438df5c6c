export { readEnvironment, type Environment } from './config.ts'
export { renderCommandLine } from './reference-page.ts'
export { run } from './run.ts'
