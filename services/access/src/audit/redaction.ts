/** Names of fields with credentials or personal data, whose values never enter the log. */
const SECRET_KEY = /secret|token|password|api_key/i
const PERSONAL_KEY =
  /^(email|file_name|phone|contact|directors|ubos|registered_address|additional_data|payer_email|payer_ip|ip|data)$/

type IsHidden = (key: string, value: unknown) => boolean

const isCredential: IsHidden = (key, value) => SECRET_KEY.test(key) && typeof value === 'string'
const isPersonal: IsHidden = (key, value) => PERSONAL_KEY.test(key) && value !== null

const redact = (value: unknown, isHidden: IsHidden): unknown => {
  if (Array.isArray(value)) return value.map((inner) => redact(inner, isHidden))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isHidden(key, inner) ? '[redacted]' : redact(inner, isHidden),
    ]),
  )
}

/** A copy with `[redacted]` for credentials. */
export const withoutCredentials = (value: unknown): unknown => redact(value, isCredential)

/** A copy with `[redacted]` for credentials and personal data. */
export const withoutSecrets = (value: unknown): unknown =>
  redact(value, (key, inner) => isCredential(key, inner) || isPersonal(key, inner))

const MAX_TARGET_LENGTH = 200

/** Ids of the path as the caller wrote them, cut and cleaned so that PostgreSQL can store them. */
export const targetOf = (paramsJson: string | undefined): string | null =>
  paramsJson === undefined
    ? null
    : Object.values(JSON.parse(paramsJson) as Record<string, string>)
        .join('/')
        .replaceAll('\u0000', '\ufffd')
        .slice(0, MAX_TARGET_LENGTH)
        .toWellFormed()
