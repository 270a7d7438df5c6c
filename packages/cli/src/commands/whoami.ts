import { AuthenticationError } from '@causeway/client'
import type { Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import { identifyPartner } from '../session/partner-identity.ts'
import type { Session } from '../session/session.ts'

/** Checks a credential at the platform: returns that it is accepted, or the reason for its refusal. */
const judge = async (ask: () => Promise<string>): Promise<string> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AuthenticationError) return `not accepted (${error.code})`
    throw error
  }
}

/** Each credential by its kind, as the platform judges it now. */
const judgeAll = async (session: Session): Promise<Readonly<Record<string, string>>> => {
  const { baseUrl, credentials } = session
  const { partner, merchant, staff } = credentials
  return {
    ...(partner !== undefined && {
      partner: await judge(async () => {
        const { partnerId, scopes } = await identifyPartner({ baseUrl, ...partner })
        return `${partnerId}, client ${partner.clientId}, ${scopes.join(' ')}`
      }),
    }),
    ...(merchant !== undefined && {
      merchant: await judge(async () => {
        await session.merchant().listApiKeys()
        return `API key …${merchant.apiKey.slice(-4)}`
      }),
    }),
    ...(staff !== undefined && {
      staff: await judge(async () => {
        await session.staff().listPartners({ limit: 1 })
        return `key …${staff.staffKey.slice(-4)}`
      }),
    }),
  }
}

/** `causeway whoami`. */
export const addWhoami = (program: Command, context: Context): void => {
  program
    .command('whoami')
    .description('show the platform and the credentials in use, and whether it accepts them')
    .addHelpText('after', '\nExample:\n  causeway whoami --profile shop')
    .action(
      actWith(context, async (session, { output }) => {
        const { baseUrl, credentials } = session
        const sandbox = credentials.sandboxUrl
        output.one({
          base_url: baseUrl,
          ...(sandbox !== undefined && { sandbox_url: sandbox }),
          ...(await judgeAll(session)),
        })
      }),
    )
}
