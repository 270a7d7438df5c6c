import * as contracts from '@causeway/contracts'
import { z } from 'zod'
import { OAuthErrorReply, RevocationRequest, TokenReply, TokenRequest } from '@causeway/contracts/http'

const { ID_SCHEMAS, MERCHANT_EVENT_BODIES, PARTNER_EVENTS } = contracts

const pascalCase = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** Types have names in upper case; schemas in lower case are parts of others, such as the parameters of a path. */
const isType = (name: string): boolean => /^[A-Z]/.test(name)

/** Schemas by the names that the document gives them. */
const named: readonly (readonly [string, unknown])[] = [
  ...Object.entries(contracts).filter(([name]) => isType(name)),
  ...Object.entries(ID_SCHEMAS).map(([kind, schema]) => [`${pascalCase(kind)}Id`, schema] as const),
  ...Object.entries({ ...PARTNER_EVENTS, ...MERCHANT_EVENT_BODIES }),
  ...Object.entries({ TokenRequest, TokenReply, RevocationRequest, OAuthError: OAuthErrorReply }),
]

/**
 * Names of components: every schema that the contracts export has the name of its export, an id that of its kind, an
 * event's body that of its type in the receiver kit. They are not in zod's global registry, where an id would turn a
 * schema into `$ref` and `$defs` wherever it is converted.
 */
export const COMPONENT_NAMES: ReadonlyMap<z.ZodType, string> = new Map(
  named.flatMap(([name, schema]) => (schema instanceof z.ZodType ? [[schema, name] as const] : [])),
)

/** zod's registry of descriptions, with the components' names as ids. */
class ComponentRegistry extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType): z.core.GlobalMeta | undefined {
    const meta = z.globalRegistry.get(schema)
    const id = COMPONENT_NAMES.get(schema as z.ZodType)
    return id === undefined ? meta : { ...meta, id }
  }
}

export const COMPONENTS = new ComponentRegistry()
