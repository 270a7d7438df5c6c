/** `pnpm demo:books`: shows on a page that the books balance while payments are made and parts of the platform are killed. */
import { parseArgs } from 'node:util'
import { BOOKS_DEMO_SETTINGS, startBooksDemo } from './demo-books/demo.ts'
import { startOwnPlatform } from './demo/own-platform.ts'

const HELP = `pnpm demo:books [--rate 50] [--port 8095] [--seconds N]
Starts a platform with three merchants, and buyers who make --rate payments a second. The page on --port shows the trial
balance and has buttons that kill parts of the platform. The demo ends after --seconds, with a button of the page, or with
Ctrl-C: then the books are rebuilt and compared.`

/** @throws Error that names the option, when a value is not a whole number within the bounds */
const integer = (name: string, value: string, [least, most]: readonly [number, number]): number => {
  const number = Number(value)
  if (!Number.isInteger(number) || number < least || number > most)
    throw new Error(`--${name} is a whole number from ${least} to ${most}, not ${value}`)
  return number
}

const optionsOf = () => {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: '50' },
      port: { type: 'string', default: '8095' },
      seconds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    isHelp: values.help,
    perSecond: integer('rate', values.rate, [1, 1_000]),
    port: integer('port', values.port, [0, 65_535]),
    seconds: values.seconds === undefined ? null : integer('seconds', values.seconds, [1, 86_400]),
  }
}

const run = async ({ perSecond, port, seconds }: ReturnType<typeof optionsOf>): Promise<void> => {
  const env = { ...process.env, ...BOOKS_DEMO_SETTINGS }
  console.log('Starting a platform for the demo.')
  const platform = await startOwnPlatform({ env })
  try {
    const demo = await startBooksDemo(platform, { perSecond, port, env, log: (line) => console.log(line) })
    try {
      console.log(`\nThe books are at ${demo.url}. Ctrl-C ends the demo.\n`)
      const ends = [demo.ended, new Promise((resolve) => process.once('SIGINT', resolve))]
      if (seconds !== null) ends.push(new Promise((resolve) => setTimeout(resolve, seconds * 1_000).unref()))
      await Promise.race(ends)
      const { observed, isIdentical } = await demo.finish()
      console.log(
        `\nDebits differed from credits in ${observed.unbalanced} of ${observed.readings} readings.`,
      )
      if (!isIdentical || observed.unbalanced > 0) process.exitCode = 1
    } finally {
      await demo.stop()
    }
  } finally {
    await platform.stop()
  }
}

try {
  const options = optionsOf()
  if (options.isHelp) console.log(HELP)
  else await run(options)
} catch (error) {
  console.error(`demo:books: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
