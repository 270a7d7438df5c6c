/** `pnpm chains:check`: proves the settings of crypto payments before they take money. */
import { checkChains } from './check.ts'

try {
  const isGood = await checkChains(process.env, (line) => console.log(line), new Date())
  if (!isGood) process.exitCode = 1
} catch (error) {
  console.error(`chains:check: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
