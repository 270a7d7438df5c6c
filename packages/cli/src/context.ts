import { ConnectionError } from '@causeway/client'
import type { Command } from 'commander'
import { CliError } from './cli-error.ts'
import type { Environment } from './config.ts'
import { EXIT } from './exit-codes.ts'
import { createOutput, type Output, type Streams } from './output/output.ts'
import { openSession, type Session } from './session/session.ts'

/** Environment and streams of the process, for its commands. */
export type Context = Readonly<{ env: Environment; streams: Streams }>

/** Options of every command. */
export type Globals = Readonly<{ profile?: string; baseUrl?: string; json?: boolean }>

type Call<Options> = Readonly<{ args: readonly string[]; options: Options & Globals; output: Output }>

/** An action of commander's that gets what was given as one object. */
export const act =
  <Options>(context: Context, action: (call: Call<Options>) => Promise<void>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & Globals>()
    const output = createOutput(context.streams, options.json === true)
    await action({ args: command.args, options, output })
  }

/** Runs what calls the platform. @throws CliError that names the platform, when it gives no answer */
export const calling = async <T>(baseUrl: string, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    throw new CliError(`No platform answers at ${baseUrl} (${error.message})`, EXIT.unavailable)
  }
}

/** Opens the session of what was given, and runs what calls the platform. */
export const onSession = async (
  { env }: Context,
  options: Globals,
  run: (session: Session) => Promise<void>,
): Promise<void> => {
  const session = openSession(env, options)
  await calling(session.baseUrl, () => run(session))
}

/** As {@link act}, for what calls the platform. */
export const actWith = <Options>(
  context: Context,
  action: (session: Session, call: Call<Options>) => Promise<void>,
) => act<Options>(context, (call) => onSession(context, call.options, (session) => action(session, call)))
