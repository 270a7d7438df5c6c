/** A version as `package.json` has it, without a pre-release. */
const VERSION = /^\d+\.\d+\.\d+$/

const UNRELEASED = 'Unreleased'

const compare = new Intl.Collator('en', { numeric: true }).compare

/** Returns the text under the heading of a version or of unreleased changes; null without such a heading. */
const sectionUnder = (text: string, name: string): string | null => {
  const [, ...sections] = text.split(/^## /m)
  const found = sections.find((section) => section.startsWith(name) && /^[\s(]/.test(section.slice(name.length)))
  return found === undefined ? null : found.slice(found.indexOf('\n')).trim()
}

/** The notes of a release. @throws Error that says what CHANGELOG.md lacks */
export const notesOf = (text: string, version: string): string => {
  const notes = sectionUnder(text, version)
  if (notes === null || notes === '') throw new Error(`CHANGELOG.md has no section “## ${version}”`)
  return notes
}

/**
 * The changelog with what is unreleased as the section of a version.
 * @param date YYYY-MM-DD
 * @throws Error that says what CHANGELOG.md lacks
 */
export const releaseChanges = (text: string, version: string, date: string): string => {
  const changes = sectionUnder(text, UNRELEASED)
  if (changes === null || changes === '') throw new Error(`CHANGELOG.md has no section “## ${UNRELEASED}”`)
  if (!changes.includes('### Before you upgrade\n'))
    throw new Error('CHANGELOG.md says nothing under “### Before you upgrade”: write what operators do, or “Nothing.”')
  return text.replace(`## ${UNRELEASED}\n`, `## ${version} (${date})\n`)
}

/** Why a version may not follow another; null where it may. */
export const versionFault = (version: string, last: string): string | null => {
  if (!VERSION.test(version)) return `${version} is not a version: write it as 1.2.3`
  return compare(version, last) > 0 ? null : `${version} does not follow the last release, ${last}`
}

const SECTIONS = ['Before you upgrade', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/**
 * Returns the changelog with the entries of changesets added to what is unreleased (.changeset/README.md).
 * @param changesets text by file name
 * @throws Error that names the file with an unknown section or without text
 */
export function addChangesets(changelog: string, changesets: Readonly<Record<string, string>>): string {
  const entries = Object.entries(changesets).map(([name, text]) => {
    const [, section = '', entry = ''] = /^---\nsection: (.+)\n---\n([^]*)$/.exec(text) ?? []
    if (!SECTIONS.includes(section) || entry.trim() === '')
      throw new Error(`${name} needs a section (${SECTIONS.join(', ')}) and a text: see .changeset/README.md`)
    return { section, entry: `- ${entry.trim().replaceAll('\n', '\n  ')}` }
  })
  if (entries.length === 0) return changelog
  const unreleased = sectionUnder(changelog, UNRELEASED) ?? ''
  const added = SECTIONS.flatMap((section) => {
    const [, kept = ''] = unreleased.split(`### ${section}\n`)
    const lines = kept.split(/^### /m)[0]?.trim() ?? ''
    const all = [lines, ...entries.filter((each) => each.section === section).map(({ entry }) => entry)]
    const text = all.filter((each) => each !== '').join('\n')
    return text === '' ? [] : [`### ${section}\n\n${text}`]
  }).join('\n\n')
  const heading = `## ${UNRELEASED}\n`
  return changelog.includes(heading)
    ? changelog.replace(`${heading}\n${unreleased}`, () => `${heading}\n${added}`)
    : changelog.replace(/^## /m, () => `${heading}\n${added}\n\n## `)
}
