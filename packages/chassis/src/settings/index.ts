export { setting, type Setting, type Settings } from './declare.ts'
export { ConfigError, loadSettings } from './load.ts'
