/**
 * References between the specification, the decisions, the ADRs and everything that names them. Each has one form: a
 * section of `docs/spec/decisions.md`, a heading of `docs/spec/api.md`, a heading `ADR NNNN: …` in `docs/adr`, or a
 * relative link between Markdown pages, and a file or folder that a page names between backticks. One that does not
 * resolve is a fault at its line.
 */
import { dirname, join } from 'node:path/posix'
import { anchorsOf, headingsOf, type Heading } from './headings.ts'

/** A tracked file, by its path from the root of the repository. */
export type TrackedFile = { path: string; text: string }

/** A reference that does not resolve: where it is, and what to do. */
export type Fault = { path: string; line: number; reference: string; reason: string }

const SPECIFICATION = 'docs/spec/api.md'
const DECISIONS = 'docs/spec/decisions.md'
const ADR_PAGE = /^docs\/adr\/[\w-]+\.md$/

/** Sections of standards are cited as `RFC 9110 §8.6, §15.3.5`; those are not ours to resolve. */
const AFTER_A_STANDARD =
  /\b(?:RFC \d+|ISO [\d-]+|PNG \(W3C\)|JPEG \(ITU T\.81\))\s+(?:§[\d.]+,?\s+(?:and\s+)?)*$/
/** `decisions §5`, and each further section of `decisions §5, §9 and §14`. */
const AFTER_DECISIONS = /\bdecisions\s+(?:§\d+(?:,|,?\s+and|\s+to)?\s+)*$/i
/** How many characters before `§` the name of the page or standard may be. */
const LOOK_BACK = 80

type Reading = { path: string; flow: string; fault: (at: number, reference: string, reason: string) => void }
type Targets = {
  sections: ReadonlySet<string>
  headings: readonly Heading[]
  /** Number of each heading. */
  adrs: readonly string[]
  paths: ReadonlySet<string>
  anchors: ReadonlyMap<string, ReadonlySet<string>>
}

/** A comment may wrap a reference over two lines: line starts and comment markers become spaces of the same length. */
const flowOf = (text: string): string =>
  text.replaceAll(/\n[ \t]*(?:\*|\/\/|--|#|>)?(?![^ \t\n])[ \t]*|\n[ \t]*/g, (start) =>
    ' '.repeat(start.length),
  )

const checkSections = ({ path, flow, fault }: Reading, { sections }: Targets): void => {
  for (const match of flow.matchAll(/§ ?(\d+(?:\.\d+)*)/g)) {
    const before = flow.slice(Math.max(0, match.index - LOOK_BACK), match.index)
    if (AFTER_A_STANDARD.test(before)) continue
    const [reference, number = ''] = match
    if (path !== DECISIONS && !AFTER_DECISIONS.test(before))
      fault(match.index, reference, 'say of which page: `decisions §8`, or the standard that it is from')
    else if (!sections.has(number)) fault(match.index, reference, `${DECISIONS} has no section ${number}`)
  }
}

/** Which headings a name may mean: `Refund a fiat order`, or `States and transitions, Requirement` below its parent. */
const named = (headings: readonly Heading[], name: string): Heading[] => {
  const [parent, child] = name.includes(', ') ? name.split(', ') : [null, name]
  return headings.filter(
    (heading) => heading.name === child && (parent === null || heading.parent === parent),
  )
}

const checkSpecification = ({ flow, fault }: Reading, { headings }: Targets): void => {
  for (const match of flow.matchAll(/\bspec:\s+([A-Z][^;)\]|.`]*)/g)) {
    const name = (match[1] ?? '').trim().replaceAll(/\s+/g, ' ')
    const found = named(headings, name)
    if (found.length === 0) fault(match.index, `spec: ${name}`, `${SPECIFICATION} has no such heading`)
    if (found.length > 1)
      fault(
        match.index,
        `spec: ${name}`,
        `${SPECIFICATION} has several: ${found.map(({ parent }) => `\`${parent}, ${name}\``).join(' or ')}`,
      )
  }
}

const checkAdrs = ({ flow, fault }: Reading, { adrs }: Targets): void => {
  for (const match of flow.matchAll(/\bADR\s+(\d{4})\b/g))
    if (!adrs.includes(match[1] ?? ''))
      fault(match.index, match[0], 'no page in docs/adr has a heading of this number')
  for (const match of flow.matchAll(/\b[Dd]ecisions?[\s/]+\[?0\d{3}\b/g))
    fault(match.index, match[0], 'write `ADR 0028`, or `decisions §8` of docs/spec/decisions.md')
}

const checkAdrHeadings = ({ flow, fault }: Reading, { adrs }: Targets): void => {
  for (const match of flow.matchAll(/(?<=^## )ADR (\d{4})(?=: )/gm))
    if (adrs.filter((number) => number === match[1]).length > 1)
      fault(match.index, match[0], 'another heading has this number')
}

const checkPaths = ({ flow, fault }: Reading, { paths }: Targets): void => {
  for (const match of flow.matchAll(/(?<![\w./-])docs\/[\w./-]+\.md\b/g))
    if (!paths.has(match[0])) fault(match.index, match[0], 'there is no such page')
}

/** Checks paths between backticks. Those with a placeholder such as `<service>` are not checked. */
const checkSources = ({ path, flow, fault }: Reading, { paths }: Targets): void => {
  const named = /(?<=`)(?:packages|services|sandbox|tests|scripts|bench|deploy)\/[\w.@/-]+(?=[`:])/g
  for (const match of flow.matchAll(named)) {
    // Relative to the repository's root or to the page's folder: a package's page names its own tests.
    const found = [match[0], join(dirname(path), match[0])].some((file) => paths.has(file.replace(/\/$/, '')))
    if (!found) fault(match.index, match[0], 'there is no such file or folder')
  }
}

const checkLinks = ({ path, flow, fault }: Reading, { paths, anchors }: Targets): void => {
  const prose = flow.replaceAll(/`[^`]*`/g, (code) => ' '.repeat(code.length))
  for (const match of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    const target = match[1] ?? ''
    if (/^[a-z][a-z+.-]*:/i.test(target)) continue
    const [file = '', anchor] = target.split('#')
    const page = file === '' ? path : join(dirname(path), file).replace(/\/$/, '')
    if (!paths.has(page)) fault(match.index, target, `there is no ${page}`)
    else if (anchor !== undefined && anchors.get(page)?.has(anchor) === false)
      fault(match.index, target, `${page} has no heading #${anchor}`)
  }
}

const foldersOf = (path: string): string[] =>
  path.includes('/') ? [dirname(path), ...foldersOf(dirname(path))] : []

const targetsOf = (files: readonly TrackedFile[]): Targets => {
  const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? ''
  return {
    sections: new Set(
      headingsOf(textOf(DECISIONS)).flatMap(({ title }) => /^(\d+)\. /.exec(title)?.slice(1) ?? []),
    ),
    headings: headingsOf(textOf(SPECIFICATION)),
    adrs: files
      .filter(({ path }) => ADR_PAGE.test(path))
      .flatMap(({ text }) => headingsOf(text))
      .flatMap(({ title }) => /^ADR (\d{4}): /.exec(title)?.slice(1) ?? []),
    paths: new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)])),
    anchors: new Map(
      files.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, anchorsOf(text)]),
    ),
  }
}

/**
 * @param files every tracked file; references are read from those for which `reads` is true
 * @returns the references that do not resolve, in the order of files and lines
 */
export const checkReferences = (
  files: readonly TrackedFile[],
  reads: (path: string) => boolean = () => true,
): Fault[] => {
  const targets = targetsOf(files)
  return files
    .filter(({ path }) => reads(path))
    .flatMap(({ path, text }) => {
      const faults: Fault[] = []
      const reading: Reading = {
        path,
        flow: flowOf(text),
        fault: (at, reference, reason) =>
          faults.push({ path, line: text.slice(0, at).split('\n').length, reference, reason }),
      }
      checkSections(reading, targets)
      checkSpecification(reading, targets)
      checkAdrs(reading, targets)
      checkPaths(reading, targets)
      if (path.endsWith('.md')) {
        checkAdrHeadings({ ...reading, flow: text }, targets)
        checkSources({ ...reading, flow: text }, targets)
        checkLinks({ ...reading, flow: text }, targets)
      }
      return faults.sort((a, b) => a.line - b.line)
    })
}
