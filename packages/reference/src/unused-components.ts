import type { ApiDocument } from './document.ts'

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const REFERENCE = /"#\/components\/\w+\/\w+"/g

/** Credentials are named by operations, not referred to. */
const NAMED_ELSEWHERE = 'securitySchemes'

const sizeOf = (document: ApiDocument): number =>
  Object.values(document.components as Components).reduce(
    (sum, members) => sum + Object.keys(members).length,
    0,
  )

/** The document without components to which nothing refers, those included to which only these did. */
export const withoutUnused = (document: ApiDocument): ApiDocument => {
  const used = new Set([...JSON.stringify(document).matchAll(REFERENCE)].map(([reference]) => reference))
  const components = Object.fromEntries(
    Object.entries(document.components as Components).map(([kind, members]) => [
      kind,
      Object.fromEntries(
        Object.entries(members).filter(
          ([name]) => kind === NAMED_ELSEWHERE || used.has(`"#/components/${kind}/${name}"`),
        ),
      ),
    ]),
  )
  const rest: ApiDocument = { ...document, components }
  return sizeOf(rest) === sizeOf(document) ? rest : withoutUnused(rest)
}
