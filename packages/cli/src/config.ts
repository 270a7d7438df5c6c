import { homedir } from 'node:os'
import { join } from 'node:path'

/** Values from the environment; each one overrides the value that `login` stored. */
export type Environment = Readonly<{
  baseUrl: string | undefined
  sandboxUrl: string | undefined
  clientId: string | undefined
  clientSecret: string | undefined
  apiKey: string | undefined
  staffKey: string | undefined
  partnerId: string | undefined
  profile: string | undefined
  /** The file in which `login` stores credentials. */
  credentialsFile: string
}>

export const SETTINGS_HELP = `
Settings (each overrides the stored profile):
  CAUSEWAY_PROFILE        name of the stored profile; --profile overrides it
  CAUSEWAY_BASE_URL       address of the platform, such as https://payments.example
  CAUSEWAY_CLIENT_ID      client id of a partner
  CAUSEWAY_CLIENT_SECRET  secret of the client
  CAUSEWAY_API_KEY        a merchant's API key
  CAUSEWAY_STAFF_KEY      a staff key
  CAUSEWAY_PARTNER_ID     the partner that staff act for
  CAUSEWAY_SANDBOX_URL    address of the sandbox; default for a platform on
                          this machine: http://127.0.0.1:8090`

/** Reads the environment. A variable that is empty counts as not set. */
export const readEnvironment = (env: NodeJS.ProcessEnv = process.env): Environment => {
  const setting = (name: string): string | undefined => {
    const value = env[name]
    return value === undefined || value === '' ? undefined : value
  }
  const folder = setting('XDG_CONFIG_HOME') ?? join(homedir(), '.config')
  return {
    baseUrl: setting('CAUSEWAY_BASE_URL'),
    sandboxUrl: setting('CAUSEWAY_SANDBOX_URL'),
    clientId: setting('CAUSEWAY_CLIENT_ID'),
    clientSecret: setting('CAUSEWAY_CLIENT_SECRET'),
    apiKey: setting('CAUSEWAY_API_KEY'),
    staffKey: setting('CAUSEWAY_STAFF_KEY'),
    partnerId: setting('CAUSEWAY_PARTNER_ID'),
    profile: setting('CAUSEWAY_PROFILE'),
    credentialsFile: join(folder, 'causeway', 'credentials.json'),
  }
}
