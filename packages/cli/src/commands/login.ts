import { createMerchantClient } from '@causeway/client'
import { Argument, type Command } from 'commander'
import { read } from 'read'
import { credentialError, usageError } from '../cli-error.ts'
import { act, calling, type Context, type Globals } from '../context.ts'
import type { Streams } from '../output/output.ts'
import { readProfiles, writeProfiles, type Profile } from '../session/credentials-file.ts'
import { identifyPartner } from '../session/partner-identity.ts'
import { DEFAULT_PROFILE, webAddress } from '../session/session.ts'
import { createStaffClient } from '../session/staff-client.ts'

type Kind = 'partner' | 'merchant' | 'staff'
type Options = { clientId?: string; sandboxUrl?: string }
type Credential = Pick<Profile, Kind>

const ABOUT = `
Checks the credential by a call, then stores it in a file that only you can read:
$XDG_CONFIG_HOME/causeway/credentials.json, or below ~/.config. A profile may have one
credential of each kind. A secret is never an argument, because others could see it: you
are prompted for it, or it is read from a pipe, or from CAUSEWAY_CLIENT_SECRET,
CAUSEWAY_API_KEY or CAUSEWAY_STAFF_KEY.

Examples:
  causeway login partner --base-url https://payments.example --client-id cli_…
  causeway login merchant --profile shop < api-key.txt
  causeway login staff --base-url http://127.0.0.1:8080`

const CALLS = { maxRetries: 1 } as const

const firstLine = async (input: NodeJS.ReadStream): Promise<string> => {
  let text = ''
  for await (const chunk of input) text += String(chunk)
  return text.split('\n', 1)[0]?.trim() ?? ''
}

/** Asks for what is missing: at a terminal with a prompt, else the first line of what is piped in. */
const readAnswer = async (
  { stdin, stderr }: Streams,
  question: string,
  { isSecret }: Readonly<{ isSecret: boolean }>,
): Promise<string> => {
  const prompt = { input: stdin, output: stderr, prompt: `${question}: `, silent: isSecret }
  const answer = stdin.isTTY ? await read(prompt) : await firstLine(stdin)
  // The line's end was as little shown as the secret before it.
  if (stdin.isTTY && isSecret) stderr.write('\n')
  if (answer === '') throw credentialError(`No ${question.toLowerCase()} was given`)
  return answer
}

/** Reads the credential and has the platform check it. */
const check = async (
  context: Context,
  kind: Kind,
  { baseUrl, clientId }: Readonly<{ baseUrl: string; clientId: string | undefined }>,
): Promise<Credential> => {
  const { env, streams } = context
  const secret = (set: string | undefined, question: string) =>
    set ?? readAnswer(streams, question, { isSecret: true })
  if (kind === 'merchant') {
    const apiKey = await secret(env.apiKey, 'API key')
    await createMerchantClient({ ...CALLS, baseUrl, apiKey }).listApiKeys()
    return { merchant: { apiKey } }
  }
  if (kind === 'staff') {
    const staffKey = await secret(env.staffKey, 'Staff key')
    await createStaffClient({ ...CALLS, baseUrl }, staffKey).listPartners({ limit: 1 })
    return { staff: { staffKey } }
  }
  if (clientId === undefined && !streams.stdin.isTTY)
    throw usageError('Name the client: --client-id, or CAUSEWAY_CLIENT_ID')
  const client = {
    clientId: clientId ?? (await readAnswer(streams, 'Client id', { isSecret: false })),
    clientSecret: await secret(env.clientSecret, 'Client secret'),
  }
  const { partnerId } = await identifyPartner({ baseUrl, ...client })
  return { partner: { ...client, partnerId } }
}

/** Adds a credential to a profile. @throws CliError when the profile belongs to a different platform */
const extend = (stored: Profile | undefined, name: string, added: Profile): Profile => {
  if (stored !== undefined && stored.baseUrl !== added.baseUrl)
    throw usageError(
      `Profile ${name} is for ${stored.baseUrl}: choose another with --profile, or run causeway logout first`,
    )
  return { ...stored, ...added }
}

const addLogin = (program: Command, context: Context): void => {
  program
    .command('login')
    .description('check and store a credential')
    .addArgument(
      new Argument('[kind]', 'kind of credential')
        .choices(['partner', 'merchant', 'staff'])
        .default('partner'),
    )
    .option('--client-id <id>', 'client id of a partner')
    .option('--sandbox-url <url>', "address of the platform's sandbox, if it has one")
    .addHelpText('after', ABOUT)
    .action(
      act<Options>(context, async ({ args, options, output }) => {
        const { env, streams } = context
        const kind = (args[0] ?? 'partner') as Kind
        const name = options.profile ?? env.profile ?? DEFAULT_PROFILE
        const profiles = readProfiles(env.credentialsFile)
        const stored = profiles[name]
        const named = options.baseUrl ?? env.baseUrl ?? stored?.baseUrl
        if (named === undefined && !streams.stdin.isTTY) throw usageError('Name the platform: --base-url')
        const baseUrl = webAddress(
          named ?? (await readAnswer(streams, 'Address of the platform', { isSecret: false })),
        )
        const sandboxUrl = options.sandboxUrl ?? env.sandboxUrl
        const place = { baseUrl, ...(sandboxUrl !== undefined && { sandboxUrl: webAddress(sandboxUrl) }) }
        extend(stored, name, place)
        const clientId = options.clientId ?? env.clientId
        const credential = await calling(baseUrl, () => check(context, kind, { baseUrl, clientId }))
        writeProfiles(env.credentialsFile, {
          ...profiles,
          [name]: extend(stored, name, { ...place, ...credential }),
        })
        output.one(
          { profile: name, base_url: baseUrl, kind },
          `Logged in at ${baseUrl} as ${credential.partner?.partnerId ?? kind} (profile ${name}).`,
        )
      }),
    )
}

const addLogout = (program: Command, context: Context): void => {
  program
    .command('logout')
    .description('delete the credentials of a profile')
    .addHelpText('after', '\nExample:\n  causeway logout --profile shop')
    .action(
      act<Globals>(context, async ({ options, output }) => {
        const { env } = context
        const name = options.profile ?? env.profile ?? DEFAULT_PROFILE
        const { [name]: removed, ...kept } = readProfiles(env.credentialsFile)
        if (removed !== undefined) writeProfiles(env.credentialsFile, kept)
        output.one(
          { profile: name, removed: removed !== undefined },
          removed === undefined ? `There is no profile ${name}.` : `Profile ${name} was deleted.`,
        )
      }),
    )
}

/** `causeway login` and `causeway logout`. */
export const addLoginAndLogout = (program: Command, context: Context): void => {
  addLogin(program, context)
  addLogout(program, context)
}
