import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { PAGE_TIMEOUT_MS } from '../../screens/browser.ts'

/** Ends each response of `curl` with a newline, and prints all variables at the end. */
const PREAMBLE = `set -euo pipefail -o allexport
curl() { command curl "$@"; local status=$?; echo; return $status; }
trap 'printf "\\0"; env -0' EXIT
`

/** A shell for a page's commands: variables persist from one block to the next. */
export const openShell = (variables: Record<string, string>) => {
  let printed = ''

  /** The value that a reader would copy from the responses so far. @throws when no response has it */
  const copied = (name: string, hint: string): string => {
    const prefix = /^([a-z]{3})_…$/.exec(hint)?.[1]
    const pattern = prefix === undefined ? `"${name.toLowerCase()}":"([^"]+)"` : `"(${prefix}_[0-9a-z]{26})"`
    const found = [...printed.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1]
    if (found === undefined) throw new Error(`No response so far contains the value for ${name}=${hint}`)
    return found
  }

  /** Sets the variables of lines such as `ORDER=ord_…`; the initial variables keep their values. */
  const assign = (line: string): boolean => {
    const pairs = line
      .trim()
      .split(/\s+/)
      .map((pair) => /^([A-Z_]+)=(\S*…|http\S+)$/.exec(pair))
    if (!pairs.every((pair) => pair !== null)) return false
    for (const [, name = '', hint = ''] of pairs) {
      const isGiven = ['BASE', 'SANDBOX', 'CLIENT_ID', 'CLIENT_SECRET', 'OPERATOR_KEY'].includes(name)
      if (!isGiven) variables[name] = copied(name, hint)
    }
    return true
  }

  return {
    variables: variables as Readonly<Record<string, string>>,
    /** Runs a block. @returns its JSON responses. @throws when a command fails or a response is an error */
    run: async (block: string): Promise<Record<string, unknown>[]> => {
      const commands = block
        .split('\n')
        .filter((line) => !assign(line))
        .join('\n')
      const env = { PATH: process.env['PATH'], ...variables }
      const { stdout } = await promisify(execFile)('bash', ['-c', PREAMBLE + commands], {
        env,
        timeout: PAGE_TIMEOUT_MS,
      })
      const [output = '', ...environment] = stdout.split('\0')
      printed += output
      for (const setting of environment) {
        const [, name, value] = /^([A-Z_]+)=([^]*)$/.exec(setting) ?? []
        if (name !== undefined && name !== 'PATH') variables[name] = value ?? ''
      }
      const answers = output.split('\n').filter((line) => line.startsWith('{'))
      const errors = answers.filter((answer) => answer.startsWith('{"error"'))
      if (errors.length > 0) throw new Error(errors.join('\n'))
      return answers.map((answer) => JSON.parse(answer) as Record<string, unknown>)
    },
  }
}
