import { SERVICES } from '../../packages/contracts/src/services.ts'
import { diagramOf, circularImports, roomsOf } from './rooms.ts'
import { readSources } from './sources.ts'

/** Renders the page with each service's folders and their imports of each other, from the source code. */
export const renderStructure = async (root: string): Promise<string> => {
  const sections = await Promise.all(
    ['gateway', ...SERVICES].map(async (service) => {
      const folder = `services/${service}/src`
      const rooms = roomsOf(folder, await readSources(root, folder))
      const circles = circularImports(rooms)
      const note =
        circles.length === 0
          ? ''
          : `\nFolders that import each other: ${circles.map((names) => names.join(' and ')).join(', ')}.\n`
      return `## ${service}\n\n\`\`\`mermaid\n${diagramOf(rooms)}\n\`\`\`\n${note}`
    }),
  )
  return [
    '# Structure',
    'Generated from the code by `pnpm generate:reference`. A box is a folder of a service, an arrow what it imports; `service.ts`, `main.ts` and `config.ts` put them together and are left out.',
    ...sections,
  ].join('\n\n')
}
