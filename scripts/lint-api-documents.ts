/**
 * Part of `pnpm check`, offline: the OpenAPI documents by the rules of Spectral, and the AsyncAPI document by its
 * project's own parser. The reference's own test lints the former by the rules of Redocly.
 */
import { Parser } from '@asyncapi/parser'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { describeApi, describeOperatorApi, renderBus } from '@causeway/reference'

const { Spectral } = spectralCore
const BASE_URL = 'https://payments.example'

const DOCUMENTS = [
  { name: 'openapi.json', document: describeApi(BASE_URL), rules: {} },
  {
    name: 'openapi.operator.json',
    document: describeOperatorApi(BASE_URL),
    // OpenAPI 3.1 lets any scheme name roles (ADR 0040); the rule knows scopes alone.
    rules: { 'oas3-operation-security-defined': 'off' },
  },
] as const

/** Errors and warnings; what is below are hints, such as that of a newer version of the format. */
const MOST_SEVERE_HINT = 2

let found = 0
for (const { name, document, rules } of DOCUMENTS) {
  const spectral = new Spectral()
  // Its own types know no rule set without another one that it extends.
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']], rules })
  for (const { code, path, message } of await spectral.run(JSON.stringify(document))) {
    found += 1
    console.error(`${name} ${path.join('.')}: ${String(code)}: ${message}`)
  }
}
const { diagnostics } = await new Parser().parse(renderBus())
for (const { code, path, message, severity } of diagnostics) {
  const level: number = severity
  if (level >= MOST_SEVERE_HINT) continue
  found += 1
  console.error(`asyncapi.json ${path.join('.')}: ${String(code)}: ${message}`)
}
process.exitCode = found === 0 ? 0 : 1
